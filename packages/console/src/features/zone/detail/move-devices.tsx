import { type ZoneDetails, zoneCalls } from '@device-center/contract';
import { App } from 'antd';
import { useTranslation } from 'react-i18next';
import { announceSuccess } from '../../../api/feedback.ts';
import { useCallMutation } from '../../../api/use-call.ts';
import { Button } from '../../../ui/button.tsx';
import { DeviceCount } from '../device-count.tsx';
import { useMayChangeZones } from '../zone-access.ts';

/** Devices move to a changed zone only when they reconnect; the button makes them reconnect now. */
export const MoveDevices = ({ zone }: { zone: ZoneDetails }) => {
  const { id, zoneName: name, deviceCount } = zone;
  const { t } = useTranslation(['zone', 'common']);
  const { modal } = App.useApp();
  const mayWrite = useMayChangeZones();
  const move = useCallMutation(zoneCalls.moveZoneDevices, {
    alsoRefreshes: [zoneCalls.getZoneDetail],
    onSuccess: ({ devices }) =>
      announceSuccess(devices === 0 ? t('zone:movedNone') : t('zone:moved', { count: devices })),
  });
  const ask = () =>
    void modal.confirm({
      title: t('zone:moveTitle', { name }),
      content: t('zone:moveText'),
      okText: t('zone:moveDevices'),
      cancelText: t('common:cancel'),
      okButtonProps: { danger: true },
      onOk: () => move.mutateAsync({ id }).catch(() => undefined),
    });
  return (
    <span className="dc-zone-devices">
      <DeviceCount zone={zone} />
      {mayWrite && deviceCount > 0 && (
        <Button size="small" loading={move.isPending} onClick={ask}>
          {t('zone:moveDevices')}
        </Button>
      )}
    </span>
  );
};
