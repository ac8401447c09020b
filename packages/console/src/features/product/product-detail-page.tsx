import { type ProductRow, productCalls } from '@device-center/contract';
import { useTranslation } from 'react-i18next';
import { z } from 'zod';
import { useCall } from '../../api/use-call.ts';
import { productListPath } from '../../paths.ts';
import { Loaded } from '../../ui/detail-page.tsx';
import { useRouteParams } from '../../ui/list-search.ts';
import type { PageProps } from '../../ui/page-entry.ts';
import { Link } from '../../ui/routing.ts';
import { ProductView } from './product-view.tsx';

const params = z.object({ productId: z.string() });

const ProductDetailPage = ({ tabs }: PageProps) => {
  const { t } = useTranslation('common');
  const { productId } = useRouteParams(params);
  const query = useCall(productCalls.getDeviceProductDetails, { productId });
  return (
    <Loaded<ProductRow> query={query} action={<Link to={productListPath}>{t('back')}</Link>}>
      {(product) => <ProductView key={product.productId} product={product} featureTabs={tabs} />}
    </Loaded>
  );
};

export default ProductDetailPage;
