import type { ProductRow } from '@device-center/contract';
import { useTranslation } from 'react-i18next';
import { usePlatformOperator } from '../../api/platform-operator.ts';
import { useCan } from '../../api/session.ts';
import { applicationPath, categoryPath } from '../../paths.ts';
import { CopyId } from '../../ui/copy-id.tsx';
import { RelativeTime } from '../../ui/relative-time.tsx';
import { Link } from '../../ui/routing.ts';
import { KeyValue } from '../../ui/states.tsx';
import { DeviceCount } from './device-count.tsx';
import { ProductFigures } from './product-figures.tsx';

const Application = ({ product: { applicationId, applicationName } }: { product: ProductRow }) => {
  const mayRead = useCan('application:read');
  return mayRead ? <Link to={applicationPath(applicationId, 2)}>{applicationName}</Link> : applicationName;
};

export const InformationTab = ({ product }: { product: ProductRow }) => {
  const { t } = useTranslation(['product', 'category', 'common']);
  const operator = usePlatformOperator();
  const yesNo = (flag: 0 | 1) => t(flag === 1 ? 'product:yes' : 'product:no');
  return (
    <>
      {product.deviceCount > 0 && <ProductFigures productId={product.productId} />}
      <section className="dc-card dc-product-information">
        <KeyValue
          items={[
            { label: t('product:productName'), value: product.productName },
            { label: t('product:productKey'), value: <CopyId value={product.productId} /> },
            { label: t('product:description'), value: product.description },
            {
              label: t('product:category'),
              value: (
                <>
                  <Link to={categoryPath(product.categoryId, product.categoryName)}>{product.categoryName}</Link>{' '}
                  <span className="dc-tag">
                    {t(product.categoryStandard === 1 ? 'category:standard' : 'category:custom')}
                  </span>
                </>
              ),
            },
            { label: t('product:nodeType'), value: product.nodeTypeName },
            { label: t('product:protocol'), value: product.protocolName },
            { label: t('product:class'), value: product.className },
            ...(operator ? [{ label: t('product:tenant'), value: product.tenancyName }] : []),
            {
              label: t('product:application'),
              value: product.applicationId === '' ? '' : <Application product={product} />,
            },
            { label: t('product:allowRegister'), value: yesNo(product.allowRegister) },
            { label: t('product:allowMd5'), value: yesNo(product.allowMd5) },
            { label: t('product:devices'), value: <DeviceCount product={product} /> },
            { label: t('product:functions'), value: <span className="dc-number">{product.functionCount}</span> },
            { label: t('product:modelVersion'), value: <span className="dc-number">{product.modelVersion}</span> },
            { label: t('product:creator'), value: product.creator },
            { label: t('common:createTime'), value: <RelativeTime value={product.createTime} /> },
            { label: t('common:updateTime'), value: <RelativeTime value={product.updateTime} /> },
          ]}
        />
      </section>
    </>
  );
};
