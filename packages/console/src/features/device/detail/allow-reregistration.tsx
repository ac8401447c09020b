import { type DeviceDetails, deviceCalls } from '@device-center/contract';
import { useTranslation } from 'react-i18next';
import { useCallMutation } from '../../../api/use-call.ts';
import { ConfirmDelete } from '../../../ui/confirm-delete.tsx';

type AllowReregistrationProps = { device: DeviceDetails; onClose: () => void };

export const AllowReregistration = ({ device: { deviceId, deviceName }, onClose }: AllowReregistrationProps) => {
  const { t } = useTranslation('deviceDetail');
  const allow = useCallMutation(deviceCalls.allowReregistration, { toast: true, onSuccess: onClose });
  return (
    <ConfirmDelete
      open
      title={t('allowReregistrationTitle', { name: deviceName })}
      text={<p>{t('allowReregistrationText')}</p>}
      okText={t('allowReregistration')}
      onConfirm={() => allow.mutateAsync({ deviceId })}
      onClose={onClose}
    />
  );
};
