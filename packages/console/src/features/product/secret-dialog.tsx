import { Alert, Modal } from 'antd';
import { useTranslation } from 'react-i18next';
import { Button } from '../../ui/button.tsx';
import { SecretLines } from '../../ui/secret-lines.tsx';

type SecretDialogProps = { title: string; productId: string; secret: string; onStored: () => void };

/** The one time that a secret is seen: it closes only when whoever reads it says that it is stored. */
export const SecretDialog = ({ title, productId, secret, onStored }: SecretDialogProps) => {
  const { t } = useTranslation(['product', 'common']);
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
          {t('product:secretStored')}
        </Button>
      }
    >
      <SecretLines
        lines={[
          { label: t('product:productKey'), value: productId, copy: t('product:copyKey') },
          { label: t('product:secret'), value: secret, copy: t('product:copySecret') },
        ]}
      />
      <Alert type="warning" showIcon title={t('product:secretOnce')} />
    </Modal>
  );
};
