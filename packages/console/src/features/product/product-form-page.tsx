import { type ProductRow, productCalls } from '@device-center/contract';
import { useTranslation } from 'react-i18next';
import { useCall } from '../../api/use-call.ts';
import { productListPath } from '../../paths.ts';
import { Loaded } from '../../ui/detail-page.tsx';
import { Link, usePageSearch } from '../../ui/routing.ts';
import { CreateProduct } from './create-product.tsx';
import { EditProduct } from './edit-product.tsx';
import { productFormSearch } from './product-search.ts';

/** With `productId` in the URL: edits that product; otherwise creates one. */
const ProductFormPage = () => {
  const { t } = useTranslation('common');
  const { productId = '' } = usePageSearch(productFormSearch);
  const query = useCall(productCalls.getDeviceProductDetails, { productId }, { enabled: productId !== '' });
  if (productId === '') return <CreateProduct />;
  return (
    <Loaded<ProductRow> query={query} action={<Link to={productListPath}>{t('back')}</Link>}>
      {(product) => <EditProduct key={product.productId} product={product} />}
    </Loaded>
  );
};

export default ProductFormPage;
