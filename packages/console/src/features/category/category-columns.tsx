import type { CategoryRow } from '@device-center/contract';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { usePlatformOperator } from '../../api/platform-operator.ts';
import { categoryPath } from '../../paths.ts';
import { CopyId } from '../../ui/copy-id.tsx';
import type { Column } from '../../ui/data-table.tsx';
import { Link } from '../../ui/routing.ts';
import { timeColumns } from '../../ui/time-columns.tsx';
import { CategoryKind, FunctionCounts, ProductCount } from './category-parts.tsx';

export const useCategoryColumns = (): Column<CategoryRow>[] => {
  const { t } = useTranslation(['category', 'common']);
  const operator = usePlatformOperator();
  return useMemo(() => {
    const tenant: Column<CategoryRow> = {
      key: 'tenant',
      title: t('category:tenant'),
      width: 150,
      render: ({ tenancyName }) => tenancyName,
    };
    return [
      {
        key: 'name',
        title: t('category:nameAndId'),
        always: true,
        mobile: true,
        render: ({ categoryId, categoryName }) => (
          <div className="dc-name-cell">
            <Link to={categoryPath(categoryId, categoryName)}>{categoryName}</Link>
            <CopyId value={categoryId} label={categoryName} />
          </div>
        ),
      },
      {
        key: 'kind',
        title: t('category:kind'),
        width: 96,
        mobile: true,
        render: ({ standard }) => <CategoryKind standard={standard} />,
      },
      ...(operator ? [tenant] : []),
      {
        key: 'functions',
        title: t('category:functions'),
        width: 250,
        render: (category) => <FunctionCounts category={category} />,
      },
      {
        key: 'products',
        title: t('category:products'),
        width: 130,
        align: 'right',
        render: (category) => <ProductCount category={category} />,
      },
      ...timeColumns<CategoryRow>(['updateTime']),
    ];
  }, [t, operator]);
};
