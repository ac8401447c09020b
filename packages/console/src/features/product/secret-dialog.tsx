import { Alert, Button, Modal } from 'antd';
import { useTranslation } from 'react-i18next';
import { CopyButton } from '../../ui/copy-id.tsx';
import './product.css';

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
        <Button type="primary" onClick={onStored}>
          {t('product:secretStored')}
        </Button>
      }
    >
      <dl className="dc-secret">
        <div>
          <dt>{t('product:productKey')}</dt>
          <dd>
            <code>{productId}</code>
            <CopyButton value={productId}>{t('product:copyKey')}</CopyButton>
          </dd>
        </div>
        <div>
          <dt>{t('product:secret')}</dt>
          <dd>
            <code>{secret}</code>
            <CopyButton value={secret}>{t('product:copySecret')}</CopyButton>
          </dd>
        </div>
      </dl>
      <Alert type="warning" showIcon title={t('product:secretOnce')} />
    </Modal>
  );
};
