import { useTranslation } from 'react-i18next';
import { PageHeader } from '../../ui/page-header.tsx';
import './personal.css';
import { PreferencesCard } from './preferences-card.tsx';
import { ProfileCard } from './profile-card.tsx';
import { QuotaCard } from './quota-card.tsx';
import { SecurityCard } from './security-card.tsx';
import { SessionsCard } from './sessions-card.tsx';
import { WithPerson } from './with-person.tsx';

const PersonCenterPage = () => {
  const { t } = useTranslation('shell');
  return (
    <>
      <PageHeader title={t('personCenter')} />
      <WithPerson>
        {(person) => (
          <div className="dc-detail-columns">
            <div className="dc-detail-main dc-person-main">
              <ProfileCard person={person} />
              <SecurityCard person={person} />
              <SessionsCard />
              <QuotaCard />
            </div>
            <PreferencesCard />
          </div>
        )}
      </WithPerson>
    </>
  );
};

export default PersonCenterPage;
