import { useTranslation } from 'react-i18next';
import { RelativeTime } from '../../ui/relative-time.tsx';
import { KeyValue } from '../../ui/states.tsx';
import { AvatarEditor } from './avatar-editor.tsx';
import { NameEditor } from './name-editor.tsx';
import type { Person } from './with-person.tsx';

export const ProfileCard = ({ person }: { person: Person }) => {
  const { t } = useTranslation('personal');
  return (
    <section className="dc-card dc-person-card dc-person-profile" aria-labelledby="person-profile">
      <h2 id="person-profile" className="dc-visually-hidden">
        {t('profile')}
      </h2>
      <AvatarEditor username={person.username} image={person.image} />
      <KeyValue
        items={[
          { label: t('username'), value: person.username },
          { label: t('name'), value: <NameEditor userId={person.userId} name={person.name} /> },
          { label: t('role'), value: person.roleName },
          { label: t('tenant'), value: person.tenancyName },
          { label: t('lastLogin'), value: <RelativeTime value={person.lastLoginTime} /> },
          { label: t('memberSince'), value: <RelativeTime value={person.createTime} /> },
        ]}
      />
    </section>
  );
};
