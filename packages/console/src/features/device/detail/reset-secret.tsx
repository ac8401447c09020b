import { type DeviceDetails, deviceCalls } from '@device-center/contract';
import { Alert, Modal } from 'antd';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useCallMutation } from '../../../api/use-call.ts';
import { Button } from '../../../ui/button.tsx';
import { ConfirmDelete } from '../../../ui/confirm-delete.tsx';
import { SecretLines } from '../../../ui/secret-lines.tsx';

const NewSecret = ({ secret, onStored }: { secret: string; onStored: () => void }) => {
  const { t } = useTranslation('deviceDetail');
  return (
    <Modal
      open
      width={520}
      title={t('secretTitle')}
      closable={false}
      keyboard={false}
      mask={{ closable: false }}
      footer={
        <Button type="primary" needsHub={false} onClick={onStored}>
          {t('secretStored')}
        </Button>
      }
    >
      <SecretLines lines={[{ label: t('deviceSecret'), value: secret, copy: t('copySecret') }]} />
      <Alert type="warning" showIcon title={t('secretOnce')} />
    </Modal>
  );
};

type ResetSecretProps = { device: DeviceDetails; onClose: () => void };

/** Asks for confirmation, resets the secret and shows the new one once. */
export const ResetSecret = ({ device: { deviceId, deviceName }, onClose }: ResetSecretProps) => {
  const { t } = useTranslation('deviceDetail');
  const [secret, setSecret] = useState<string>();
  const reset = useCallMutation(deviceCalls.resetDeviceSecret, {
    onSuccess: ({ deviceSecret }) => setSecret(deviceSecret),
  });
  if (secret !== undefined) return <NewSecret secret={secret} onStored={onClose} />;
  return (
    <ConfirmDelete
      open
      title={t('resetSecretTitle', { name: deviceName })}
      text={<p>{t('resetSecretText')}</p>}
      okText={t('resetSecret')}
      onConfirm={() => reset.mutateAsync({ deviceId })}
      onClose={onClose}
    />
  );
};
