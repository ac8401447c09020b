import { categoryCalls, type ProductRow, productCalls } from '@device-center/contract';
import { useTranslation } from 'react-i18next';
import { useCallMutation } from '../../api/use-call.ts';
import { type AskToDelete, DeleteRows, Dependents } from '../../ui/delete-rows.tsx';
import { DeviceCount } from './device-count.tsx';

const ProductsWithDevices = ({ products }: { products: ProductRow[] }) => {
  const { t } = useTranslation('product');
  const items = products.map((product) => ({
    id: product.productId,
    name: product.productName,
    links: <DeviceCount product={product} words />,
  }));
  return <Dependents title={t('hasDevices')} items={items} />;
};

type DeleteProductsProps = AskToDelete & { products: ProductRow[] };

/** The hub rejects deleting products with devices; the loaded counts show this in advance. */
export const DeleteProducts = ({ products, leaves = false, ...then }: DeleteProductsProps) => {
  const { t } = useTranslation('product');
  const { mutateAsync } = useCallMutation(productCalls.deleteDeviceProduct, {
    toast: true,
    leaves,
    alsoRefreshes: [categoryCalls.getCategoryList],
  });
  const used = products.filter(({ deviceCount }) => deviceCount > 0);
  return (
    <DeleteRows
      names={products.map(({ productName }) => productName)}
      titles={{ one: (name) => t('deleteTitle', { name }), several: (count) => t('deleteManyTitle', { count }) }}
      text={<p>{t(products.length === 1 ? 'deleteText' : 'deleteManyText')}</p>}
      blockedReason={used.length > 0 ? <ProductsWithDevices products={used} /> : undefined}
      remove={() => mutateAsync({ productIds: products.map(({ productId }) => productId) })}
      {...then}
    />
  );
};
