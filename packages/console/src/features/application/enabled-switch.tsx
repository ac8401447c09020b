import { type ApplicationRow, applicationCalls, tenancyCalls } from '@device-center/contract';
import { App, Switch } from 'antd';
import { useTranslation } from 'react-i18next';
import { useCan } from '../../api/session.ts';
import { useCallMutation } from '../../api/use-call.ts';
import { useOnline } from '../../ui/media.ts';
import { StatusDot } from '../../ui/status-dot.tsx';

/** Enabling is shown optimistically. Disabling disconnects devices, so it asks for confirmation and waits for the hub. */
export const EnabledSwitch = ({ application }: { application: ApplicationRow }) => {
  const { t } = useTranslation(['application', 'common']);
  const { modal } = App.useApp();
  const mayWrite = useCan('application:write');
  const online = useOnline();
  const change = useCallMutation(applicationCalls.updateEnabledStatus, {
    toast: true,
    alsoRefreshes: [tenancyCalls.queryTenancyList],
  });
  const { applicationId, applicationName: name, enabled, tenancyEnabled } = application;
  // The hub rejects this for a disabled tenant, so the switch must not flip on and back.
  const enabling = change.isPending && change.variables.enabled === 1 && tenancyEnabled === 1;

  const disable = () =>
    modal.confirm({
      title: t('application:disableTitle', { name }),
      content: t('application:disableText'),
      okText: t('application:disableApplication'),
      cancelText: t('common:cancel'),
      okButtonProps: { danger: true },
      // An error closes the dialog; the toast shows the reason.
      onOk: () => change.mutateAsync({ applicationId, enabled: 0 }).catch(() => undefined),
    });

  if (!mayWrite) {
    return (
      <StatusDot tone={enabled ? 'online' : 'offline'}>{t(enabled ? 'common:enabled' : 'common:disabled')}</StatusDot>
    );
  }
  return (
    <Switch
      size="small"
      checked={enabled === 1 || enabling}
      disabled={!online}
      loading={change.isPending && !enabling}
      aria-label={t('application:switchLabel', { name })}
      onChange={(on) => (on ? change.mutate({ applicationId, enabled: 1 }) : void disable())}
    />
  );
};
