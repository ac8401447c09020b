import type { UserRow } from '@device-center/contract';
import { useTranslation } from 'react-i18next';
import { usePlatformOperator } from '../../api/platform-operator.ts';
import { useCan, useSession } from '../../api/session.ts';
import { personPaths, userListPath, userPath } from '../../paths.ts';
import { Button } from '../../ui/button.tsx';
import { DetailPage } from '../../ui/detail-page.tsx';
import { RelativeTime } from '../../ui/relative-time.tsx';
import { useNavigate } from '../../ui/routing.ts';
import { KeyValue } from '../../ui/states.tsx';
import { Email, Phone } from './contact.tsx';
import { useResetPassword } from './reset-password.tsx';

export const UserView = ({ user }: { user: UserRow }) => {
  const { t } = useTranslation(['user', 'common']);
  const navigate = useNavigate();
  const operator = usePlatformOperator();
  const resetPassword = useResetPassword();
  const own = useSession()?.userId === user.userId;
  const mayWrite = useCan('user:write');
  return (
    <DetailPage
      title={user.name}
      id={user.userId}
      backTo={userListPath}
      status={own && <span className="dc-tag">{t('user:you')}</span>}
      actions={
        own ? (
          <Button onClick={() => void navigate({ to: personPaths.center })}>{t('user:personCenter')}</Button>
        ) : (
          mayWrite && (
            <>
              <Button disabled={user.email === ''} onClick={() => resetPassword.ask(user)}>
                {t('user:resetPassword')}
              </Button>
              <Button type="primary" onClick={() => void navigate({ to: userPath(user.userId, 1) })}>
                {t('user:changeRole')}
              </Button>
            </>
          )
        )
      }
      facts={
        <KeyValue
          items={[
            { label: t('user:role'), value: user.roleName },
            ...(operator ? [{ label: t('user:tenant'), value: user.tenancyName }] : []),
            { label: t('user:lastLogin'), value: <RelativeTime value={user.lastLoginTime} /> },
            { label: t('common:createTime'), value: <RelativeTime value={user.createTime} /> },
            { label: t('common:updateTime'), value: <RelativeTime value={user.updateTime} /> },
          ]}
        />
      }
    >
      {resetPassword.dialog}
      <section className="dc-card dc-padded">
        <KeyValue
          items={[
            { label: t('user:username'), value: user.username },
            { label: t('user:name'), value: user.name },
            { label: t('user:email'), value: <Email value={user.email} /> },
            { label: t('user:phone'), value: <Phone value={user.phone} /> },
          ]}
        />
      </section>
    </DetailPage>
  );
};
