import { type ProductRow, productCalls, productTakeoverCalls } from '@device-center/contract';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useCan } from '../../api/session.ts';
import { useCallMutation } from '../../api/use-call.ts';
import { productFormPath, productListPath } from '../../paths.ts';
import { Button } from '../../ui/button.tsx';
import { ConfirmDelete } from '../../ui/confirm-delete.tsx';
import { useReceivedReason } from '../../ui/received-tag.tsx';
import { useNavigate } from '../../ui/routing.ts';
import { RowMenu } from '../../ui/row-menu.tsx';
import { useTakeOver } from '../../ui/use-take-over.tsx';
import { DeleteProducts } from './delete-products.tsx';
import { SecretDialog } from './secret-dialog.tsx';

type ResetSecretProps = { product: ProductRow; onClose: () => void };

/** Confirms, resets the secret and shows the new one once. */
const ResetSecret = ({ product: { productId, productName }, onClose }: ResetSecretProps) => {
  const { t } = useTranslation('product');
  const [secret, setSecret] = useState<string>();
  const reset = useCallMutation(productCalls.resetProductSecret);
  const confirm = async () => {
    setSecret((await reset.mutateAsync({ productId })).productSecret);
  };
  if (secret !== undefined)
    return <SecretDialog title={t('secretResetTitle')} productId={productId} secret={secret} onStored={onClose} />;
  return (
    <ConfirmDelete
      open
      title={t('resetSecretTitle', { name: productName })}
      text={
        <>
          <p>{t('resetSecretNew')}</p>
          <p>{t('resetSecretOwn')}</p>
        </>
      }
      okText={t('resetSecret')}
      onConfirm={confirm}
      onClose={onClose}
    />
  );
};

const TakeOver = ({ product: { productId, productName } }: { product: ProductRow }) => {
  const { t } = useTranslation();
  const ask = useTakeOver();
  const takeOver = useCallMutation(productTakeoverCalls.takeOverProduct, { toast: true });
  const send = () => takeOver.mutateAsync({ productId });
  return (
    <Button
      loading={takeOver.isPending}
      onClick={() => ask({ name: productName, text: t('takeOverProductText'), send })}
    >
      {t('takeOver')}
    </Button>
  );
};

export const ProductActions = ({ product }: { product: ProductRow }) => {
  const { t } = useTranslation(['product', 'common']);
  const navigate = useNavigate();
  const mayWrite = useCan('product:write');
  const mayApplications = useCan('application:list');
  const received = useReceivedReason(product);
  // The form of a received product can change only its application.
  const fixed = mayApplications ? undefined : received;
  const [open, setOpen] = useState<'delete' | 'reset'>();
  const close = () => setOpen(undefined);
  if (!mayWrite) return null;
  const { productId, productName } = product;
  return (
    <>
      {received !== undefined && <TakeOver product={product} />}
      <RowMenu
        name={productName}
        items={[
          {
            key: 'reset',
            label: t('product:resetSecret'),
            disabled: received !== undefined,
            title: received,
            onClick: () => setOpen('reset'),
          },
          { key: 'delete', label: t('common:delete'), danger: true, onClick: () => setOpen('delete') },
        ]}
      />
      <Button
        type="primary"
        disabled={fixed !== undefined}
        title={fixed}
        onClick={() => void navigate({ to: productFormPath, search: { productId } })}
      >
        {t('common:edit')}
      </Button>
      {open === 'reset' && <ResetSecret product={product} onClose={close} />}
      {open === 'delete' && (
        <DeleteProducts
          products={[product]}
          leaves
          onClose={close}
          onDeleted={() => void navigate({ to: productListPath })}
        />
      )}
    </>
  );
};
