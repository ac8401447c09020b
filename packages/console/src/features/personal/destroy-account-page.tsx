import { ShieldAlert } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { PageHeader } from '../../ui/page-header.tsx';
import { Link } from '../../ui/routing.ts';
import { EmptyState } from '../../ui/states.tsx';
import { DestroyForm } from './destroy-form.tsx';
import './personal.css';
import { personPaths } from '../../paths.ts';
import { type Person, WithPerson } from './with-person.tsx';

const Consequences = ({ username }: { username: string }) => {
  const { t } = useTranslation('personal');
  return (
    <div className="dc-person-consequences">
      <p>{t('destroyLead')}</p>
      <ul>
        <li>{t('destroyAccount', { username })}</li>
        <li>{t('destroySessions')}</li>
        <li>{t('destroyData')}</li>
        <li>{t('destroyKeeps')}</li>
      </ul>
    </div>
  );
};

const Blocked = () => {
  const { t } = useTranslation('personal');
  return (
    <EmptyState
      icon={<ShieldAlert size={22} />}
      title={t('destroyBlocked')}
      action={
        <>
          <Link to={personPaths.email}>{t('goBindEmail')}</Link>
          <Link to={personPaths.bindPhone}>{t('goBindPhone')}</Link>
        </>
      }
    />
  );
};

const DestroyAccount = ({ person }: { person: Person }) => {
  const { t } = useTranslation('personal');
  const bound = person.email !== '' || person.phone !== '';
  return (
    <>
      <PageHeader title={t('destroyTitle')} backTo={personPaths.center} />
      <section className="dc-card dc-person-form">
        <Consequences username={person.username} />
        {bound ? <DestroyForm person={person} /> : <Blocked />}
      </section>
    </>
  );
};

const DestroyAccountPage = () => <WithPerson>{(person) => <DestroyAccount person={person} />}</WithPerson>;

export default DestroyAccountPage;
