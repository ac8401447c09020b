import { type ApiKeyRow, apiKeyCalls } from '@device-center/contract';
import { useTranslation } from 'react-i18next';
import { useCallMutation } from '../../api/use-call.ts';
import { ConfirmDelete } from '../../ui/confirm-delete.tsx';

type RevokeKeyProps = { apiKey: ApiKeyRow; onClose: () => void };

export const RevokeKey = ({ apiKey: { keyId, keyName }, onClose }: RevokeKeyProps) => {
  const { t } = useTranslation('apiKey');
  const revoke = useCallMutation(apiKeyCalls.revokeApiKey, { toast: true });
  return (
    <ConfirmDelete
      open
      title={t('revokeTitle', { name: keyName })}
      text={t('revokeText')}
      okText={t('revoke')}
      onConfirm={async () => {
        await revoke.mutateAsync({ keyId });
        onClose();
      }}
      onClose={onClose}
    />
  );
};
