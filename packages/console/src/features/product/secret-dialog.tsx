import { useTranslation } from 'react-i18next';
import { ShownOnceDialog } from '../../ui/shown-once-dialog.tsx';

type SecretDialogProps = { title: string; productId: string; secret: string; onStored: () => void };

export const SecretDialog = ({ title, productId, secret, onStored }: SecretDialogProps) => {
  const { t } = useTranslation(['product', 'common']);
  return (
    <ShownOnceDialog
      title={title}
      lines={[
        { label: t('product:productKey'), value: productId, copy: t('product:copyKey') },
        { label: t('product:secret'), value: secret, copy: t('product:copySecret') },
      ]}
      warning={t('product:secretOnce')}
      okText={t('product:secretStored')}
      onStored={onStored}
    />
  );
};
