import { errorText } from '@device-center/contract';
import { Smartphone } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { currentLanguage } from '../../i18n/language.ts';
import { personPaths } from '../../paths.ts';
import { PageHeader } from '../../ui/page-header.tsx';
import { Link } from '../../ui/routing.ts';
import { EmptyState } from '../../ui/states.tsx';
import { AddressPage } from './address-page.tsx';
import { type Person, WithPerson } from './with-person.tsx';

const NoPhone = () => {
  const { t } = useTranslation('personal');
  return (
    <>
      <PageHeader title={t('phoneChangeTitle')} backTo={personPaths.center} />
      <section className="dc-card">
        <EmptyState
          icon={<Smartphone size={22} />}
          title={errorText('PHONE_UNBOUND', currentLanguage())}
          action={<Link to={personPaths.bindPhone}>{t('goBindPhone')}</Link>}
        />
      </section>
    </>
  );
};

const UpdatePhone = ({ person: { email, phone } }: { person: Person }) => {
  const [hadPhone] = useState(phone !== '');
  return hadPhone ? <AddressPage kind="phone" bound={{ email, phone }} /> : <NoPhone />;
};

const UpdatePhonePage = () => <WithPerson>{(person) => <UpdatePhone person={person} />}</WithPerson>;

export default UpdatePhonePage;
