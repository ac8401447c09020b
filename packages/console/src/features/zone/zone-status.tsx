import { type ZoneRow, ZoneType, zoneCalls } from '@device-center/contract';
import { App, Switch } from 'antd';
import { useTranslation } from 'react-i18next';
import { useCallMutation } from '../../api/use-call.ts';
import { useOnline } from '../../ui/media.ts';
import { StatusDot } from '../../ui/status-dot.tsx';
import { useMayChangeZones } from './zone-access.ts';

type ZoneStatusProps = { zone: Pick<ZoneRow, 'id' | 'zoneName' | 'zoneType' | 'status' | 'deviceCount'> };

/** Enables or disables a zone. Devices then connect elsewhere, so it confirms first and waits for the hub. */
export const ZoneStatus = ({ zone: { id, zoneName: name, zoneType, status, deviceCount = 0 } }: ZoneStatusProps) => {
  const { t } = useTranslation(['zone', 'common']);
  const { modal } = App.useApp();
  const mayWrite = useMayChangeZones();
  const online = useOnline();
  // The list and the details have another path prefix than this call.
  const change = useCallMutation(zoneCalls.setZoneState, { toast: true, alsoRefreshes: [zoneCalls.getZoneDetail] });
  const outer = zoneType === ZoneType.outer;

  const ask = (on: boolean) =>
    void modal.confirm({
      title: t(on ? 'zone:enableTitle' : 'zone:disableTitle', { name }),
      content: outer
        ? t(on ? 'zone:enableOuterText' : 'zone:disableOuterText')
        : t(on ? 'zone:enableText' : 'zone:disableText', { count: deviceCount }),
      okText: t(on ? 'zone:enableZone' : 'zone:disableZone'),
      cancelText: t('common:cancel'),
      okButtonProps: { danger: !on },
      // An error closes the dialog; a toast shows the reason.
      onOk: () => change.mutateAsync({ id, status: on ? 1 : 0 }).catch(() => undefined),
    });

  if (!mayWrite) {
    return (
      <StatusDot tone={status === 1 ? 'online' : 'offline'}>
        {t(status === 1 ? 'common:enabled' : 'common:disabled')}
      </StatusDot>
    );
  }
  return (
    <Switch
      size="small"
      checked={status === 1}
      disabled={!online}
      loading={change.isPending}
      aria-label={t('zone:switchLabel', { name })}
      onChange={ask}
    />
  );
};
