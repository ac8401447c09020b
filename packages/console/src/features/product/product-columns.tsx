import type { ProductRow } from '@device-center/contract';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { usePlatformOperator } from '../../api/platform-operator.ts';
import { productPath } from '../../paths.ts';
import type { Column } from '../../ui/data-table.tsx';
import { nameColumn, tenantColumns } from '../../ui/list-columns.tsx';
import { NameCell } from '../../ui/name-cell.tsx';
import { ReceivedTag } from '../../ui/received-tag.tsx';
import { Link } from '../../ui/routing.ts';
import { timeColumns } from '../../ui/time-columns.tsx';
import { Category } from './category-name.tsx';
import { DeviceCount } from './device-count.tsx';
import { ProductTile } from './product-tile.tsx';

export const useProductColumns = (): Column<ProductRow>[] => {
  const { t } = useTranslation(['product', 'common']);
  const operator = usePlatformOperator();
  return useMemo(
    () => [
      nameColumn({
        title: t('product:nameAndKey'),
        render: (product) => {
          const { productId, productName, icon, nodeType } = product;
          return (
            <div className="dc-product-name">
              <ProductTile icon={icon} nodeType={nodeType} />
              <NameCell id={productId} name={productName}>
                <span className="dc-marked-name">
                  <Link to={productPath(productId)}>{productName}</Link>
                  <ReceivedTag of={product} />
                </span>
              </NameCell>
            </div>
          );
        },
      }),
      {
        key: 'category',
        title: t('product:category'),
        width: 150,
        render: (product) => <Category product={product} />,
      },
      { key: 'nodeType', title: t('product:nodeType'), width: 116, render: ({ nodeTypeName }) => nodeTypeName },
      { key: 'protocol', title: t('product:protocol'), width: 96, render: ({ protocolName }) => protocolName },
      { key: 'class', title: t('product:class'), width: 100, render: ({ className }) => className },
      ...tenantColumns<ProductRow>(operator, { title: t('product:tenant'), width: 120 }),
      {
        key: 'devices',
        title: t('product:devices'),
        width: 84,
        align: 'right',
        mobile: true,
        render: (product) => <DeviceCount product={product} />,
      },
      {
        key: 'functions',
        title: t('product:functions'),
        width: 90,
        align: 'right',
        render: ({ functionCount }) => <span className="dc-number">{functionCount}</span>,
      },
      ...timeColumns<ProductRow>(['createTime', 'updateTime']),
    ],
    [t, operator],
  );
};
