import { categoryCalls, type ProductRow, productCalls } from '@device-center/contract';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useCommand } from '../../api/use-call.ts';
import { ConfirmDelete } from '../../ui/confirm-delete.tsx';
import { DeviceCount } from './device-count.tsx';

const NAMES_SHOWN = 10;

/** What stands in the way, by product, each with the way there. */
const ProductsWithDevices = ({ products }: { products: ProductRow[] }) => {
  const { t } = useTranslation('product');
  return (
    <>
      <p>{t('hasDevices')}</p>
      {products.map((product) => (
        <div key={product.productId} className="dc-linked dc-linked-row">
          <strong>{product.productName}</strong>
          <DeviceCount product={product} words />
        </div>
      ))}
    </>
  );
};

type DeleteProductsProps = { products: ProductRow[]; onClose: () => void; onDeleted: () => void };

/** One or several, all or none; the hub refuses what has devices, and the counts at hand tell so beforehand. */
export const DeleteProducts = ({ products, onClose, onDeleted }: DeleteProductsProps) => {
  const { t } = useTranslation('product');
  const [refused, setRefused] = useState<string>();
  const remove = useCommand(productCalls.deleteDeviceProduct, {
    toast: true,
    alsoRefreshes: [categoryCalls.getCategoryList],
  });
  const used = products.filter(({ deviceCount }) => deviceCount > 0);
  const count = products.length;
  const only = count === 1 ? products[0] : undefined;
  const names = products.slice(0, NAMES_SHOWN).map(({ productName }) => productName);

  const confirm = async () => {
    try {
      await remove.mutateAsync({ productIds: products.map(({ productId }) => productId) });
      onDeleted();
    } catch (error) {
      // The list may have been older than the truth.
      setRefused(error instanceof Error ? error.message : String(error));
    }
  };

  return (
    <ConfirmDelete
      open
      title={only ? t('deleteTitle', { name: only.productName }) : t('deleteManyTitle', { count })}
      text={
        only ? (
          <p>{t('deleteText')}</p>
        ) : (
          <>
            <p>{t('deleteManyText')}</p>
            <p>
              {names.join(t('listSeparator'))}
              {count > NAMES_SHOWN && ' …'}
            </p>
          </>
        )
      }
      refusal={used.length > 0 ? <ProductsWithDevices products={used} /> : refused}
      onConfirm={confirm}
      onClose={onClose}
    />
  );
};
