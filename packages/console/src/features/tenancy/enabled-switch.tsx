import { applicationCalls, type TenancyRow, tenancyCalls } from '@device-center/contract';
import { App, Switch, Tooltip } from 'antd';
import { useTranslation } from 'react-i18next';
import { announceSuccess } from '../../api/feedback.ts';
import { useCan } from '../../api/session.ts';
import { useCallMutation } from '../../api/use-call.ts';
import { useOnline } from '../../ui/media.ts';
import { StatusDot } from '../../ui/status-dot.tsx';

/** Confirms with the number of affected applications. Not optimistic: it waits for the hub. */
export const EnabledSwitch = ({ tenant }: { tenant: TenancyRow }) => {
  const { t } = useTranslation(['tenancy', 'common']);
  const { modal } = App.useApp();
  const mayWrite = useCan('tenancy:write');
  const online = useOnline();
  const change = useCallMutation(tenancyCalls.updateEnabledStatus, {
    alsoRefreshes: [applicationCalls.queryApplicationList],
    onSuccess: ({ disabledApplications }, { enabled }) =>
      announceSuccess(
        enabled === 1 ? t('common:operationSucceeded') : t('tenancy:closed', { applications: disabledApplications }),
      ),
  });
  const { tenancyId, tenancyName: name, enabled, enabledApplicationCount: applications, userCount: users } = tenant;

  const ask = () => {
    const closing = enabled === 1;
    modal.confirm({
      title: t(closing ? 'tenancy:closeTitle' : 'tenancy:openTitle', { name }),
      content: closing ? (
        <>
          <p>{t('tenancy:closeText', { applications, users })}</p>
          <p className="dc-muted">{t('tenancy:closeReopen')}</p>
        </>
      ) : (
        t('tenancy:openText')
      ),
      okText: t(closing ? 'tenancy:disableTenant' : 'tenancy:enableTenant'),
      cancelText: t('common:cancel'),
      okButtonProps: { danger: closing },
      // An error closes the dialog; a toast shows the reason.
      onOk: () => change.mutateAsync({ tenancyId, enabled: closing ? 0 : 1 }).catch(() => undefined),
    });
  };

  if (!mayWrite) {
    return (
      <StatusDot tone={enabled ? 'online' : 'offline'}>{t(enabled ? 'common:enabled' : 'common:disabled')}</StatusDot>
    );
  }
  return (
    <Tooltip title={tenant.builtin ? t('tenancy:builtinHint') : ''}>
      <Switch
        size="small"
        checked={enabled === 1}
        disabled={tenant.builtin === 1 || !online}
        loading={change.isPending}
        aria-label={t('tenancy:switchLabel', { name })}
        onChange={ask}
      />
    </Tooltip>
  );
};
