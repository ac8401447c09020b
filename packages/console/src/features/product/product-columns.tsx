import type { ProductRow } from '@device-center/contract';
import { Link } from '@tanstack/react-router';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { usePlatformOperator } from '../../api/platform-operator.ts';
import { CopyId } from '../../ui/copy-id.tsx';
import type { Column } from '../../ui/data-table.tsx';
import { timeColumns } from '../../ui/time-columns.tsx';
import { DeviceCount } from './device-count.tsx';
import { productPath } from './product-search.ts';
import { ProductTile } from './product-tile.tsx';

export const useProductColumns = (): Column<ProductRow>[] => {
  const { t } = useTranslation(['product', 'common']);
  const operator = usePlatformOperator();
  return useMemo(() => {
    const tenant: Column<ProductRow> = {
      key: 'tenant',
      title: t('product:tenant'),
      width: 120,
      render: ({ tenancyName }) => tenancyName,
    };
    return [
      {
        key: 'name',
        title: t('product:nameAndKey'),
        always: true,
        mobile: true,
        render: ({ productId, productName, icon, nodeType }) => (
          <div className="dc-product-name">
            <ProductTile icon={icon} nodeType={nodeType} />
            <div className="dc-name-cell">
              <Link to={productPath(productId)}>{productName}</Link>
              <CopyId value={productId} label={productName} />
            </div>
          </div>
        ),
      },
      { key: 'category', title: t('product:category'), width: 140, render: ({ categoryName }) => categoryName },
      { key: 'nodeType', title: t('product:nodeType'), width: 116, render: ({ nodeTypeName }) => nodeTypeName },
      { key: 'protocol', title: t('product:protocol'), width: 96, render: ({ protocolName }) => protocolName },
      { key: 'class', title: t('product:class'), width: 100, render: ({ className }) => className },
      ...(operator ? [tenant] : []),
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
    ];
  }, [t, operator]);
};
