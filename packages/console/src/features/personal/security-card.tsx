import { errorText } from '@device-center/contract';
import { KeyRound, Mail, Smartphone, UserX } from 'lucide-react';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { currentLanguage } from '../../i18n/language.ts';
import { personPaths } from '../../paths.ts';
import { Link, type Path } from '../../ui/routing.ts';
import { StatusDot } from '../../ui/status-dot.tsx';
import type { Person } from './with-person.tsx';

type RowProps = {
  icon: ReactNode;
  title: string;
  badge?: ReactNode;
  text: ReactNode;
  to: Path;
  action: string;
  danger?: boolean;
};

const Row = ({ icon, title, badge, text, to, action, danger = false }: RowProps) => (
  <li>
    <span className="dc-person-icon" aria-hidden="true">
      {icon}
    </span>
    <div>
      <p>
        <strong>{title}</strong> {badge}
      </p>
      <p className="dc-muted">{text}</p>
    </div>
    <Link to={to} className={danger ? 'dc-person-danger' : ''} aria-label={`${action}: ${title}`}>
      {action}
    </Link>
  </li>
);

const BoundBadge = ({ bound }: { bound: boolean }) => {
  const { t } = useTranslation('personal');
  return <StatusDot tone={bound ? 'online' : 'offline'}>{t(bound ? 'bound' : 'unbound')}</StatusDot>;
};

export const SecurityCard = ({ person: { email, phone } }: { person: Person }) => {
  const { t } = useTranslation('personal');
  return (
    <section className="dc-card dc-person-card" aria-labelledby="person-security">
      <h2 id="person-security">{t('security')}</h2>
      <ul className="dc-person-rows">
        <Row
          icon={<KeyRound size={17} />}
          title={t('password')}
          text={t('passwordText')}
          to={personPaths.password}
          action={t('modify')}
        />
        <Row
          icon={<Mail size={17} />}
          title={t('email')}
          badge={<BoundBadge bound={email !== ''} />}
          text={email || t('emailText')}
          to={personPaths.email}
          action={t(email === '' ? 'bind' : 'change')}
        />
        <Row
          icon={<Smartphone size={17} />}
          title={t('phone')}
          badge={<BoundBadge bound={phone !== ''} />}
          text={phone || errorText('PHONE_UNBOUND', currentLanguage())}
          to={phone === '' ? personPaths.bindPhone : personPaths.phone}
          action={t(phone === '' ? 'bind' : 'change')}
        />
        <Row
          icon={<UserX size={17} />}
          title={t('cancelAccount')}
          text={t('cancelText')}
          to={personPaths.destroy}
          action={t('cancelAction')}
          danger
        />
      </ul>
    </section>
  );
};
