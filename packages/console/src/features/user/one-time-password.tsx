import { Alert, Modal } from 'antd';
import { useTranslation } from 'react-i18next';
import { Button } from '../../ui/button.tsx';
import { SecretLines } from '../../ui/secret-lines.tsx';

export type OneTimePassword = { username: string; password: string };

type OneTimePasswordDialogProps = OneTimePassword & { title: string; onStored: () => void };

/** A password that no mail takes to its user: it is shown once, to be handed over by whoever reads it. */
export const OneTimePasswordDialog = ({ title, username, password, onStored }: OneTimePasswordDialogProps) => {
  const { t } = useTranslation('user');
  return (
    <Modal
      open
      title={title}
      width={520}
      closable={false}
      keyboard={false}
      mask={{ closable: false }}
      footer={
        <Button type="primary" needsHub={false} onClick={onStored}>
          {t('passwordStored')}
        </Button>
      }
    >
      <SecretLines
        lines={[
          { label: t('username'), value: username, copy: t('copyUsername') },
          { label: t('oneTimePassword'), value: password, copy: t('copyPassword') },
        ]}
      />
      <Alert type="warning" showIcon title={t('passwordNotMailed')} />
    </Modal>
  );
};
