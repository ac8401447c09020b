import { type CategoryRow, categoryCalls } from '@device-center/contract';
import { Plus, Shapes } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useCan } from '../../api/session.ts';
import { useCall } from '../../api/use-call.ts';
import { categoryFormPath, categoryPath, productFormPath } from '../../paths.ts';
import { Button } from '../../ui/button.tsx';
import { DataTable } from '../../ui/data-table.tsx';
import { useListSearch } from '../../ui/list-search.ts';
import { PageHeader } from '../../ui/page-header.tsx';
import { Link, useNavigate } from '../../ui/routing.ts';
import { RowMenu, type RowMenuItem } from '../../ui/row-menu.tsx';
import { EmptyState } from '../../ui/states.tsx';
import { useCategoryColumns } from './category-columns.tsx';
import { CategoryFilters } from './category-filters.tsx';
import { categoryListSearch, forNewProduct } from './category-search.ts';
import { DeleteCategories } from './delete-categories.tsx';
import { useMayChange } from './may-change.ts';

const CategoryListPage = () => {
  const { t } = useTranslation(['category', 'common']);
  const navigate = useNavigate();
  const mayWrite = useCan('category:write');
  const mayWriteProducts = useCan('product:write');
  const mayChange = useMayChange();
  const list = useListSearch(categoryListSearch);
  const query = useCall(categoryCalls.getCategoryList, list.search, { keepPrevious: true });
  const columns = useCategoryColumns();
  const [deleting, setDeleting] = useState<{ categories: CategoryRow[]; done: () => void }>();

  const create = mayWrite && (
    <Button
      type="primary"
      icon={<Plus size={16} aria-hidden />}
      onClick={() => void navigate({ to: categoryFormPath, search: { tenancyId: list.search.tenancyId } })}
    >
      {t('category:addTitle')}
    </Button>
  );

  const menuOf = (category: CategoryRow): RowMenuItem[] => {
    const { categoryId, categoryName } = category;
    const view = {
      key: 'view',
      label: t('common:view'),
      onClick: () => void navigate({ to: categoryPath(categoryId, categoryName) }),
    };
    const product = {
      key: 'product',
      label: t('category:createProduct'),
      onClick: () => void navigate({ to: productFormPath, search: forNewProduct(category) }),
    };
    const copy = {
      key: 'copy',
      label: t('category:startFromThis'),
      onClick: () => void navigate({ to: categoryFormPath, search: { copyFrom: categoryId } }),
    };
    const remove = {
      key: 'delete',
      label: t('common:delete'),
      danger: true,
      onClick: () => setDeleting({ categories: [category], done: () => undefined }),
    };
    return [
      ...(mayChange(category) ? [view] : []),
      ...(mayWriteProducts ? [product] : []),
      ...(mayWrite && category.standard === 1 ? [copy] : []),
      ...(mayChange(category) ? [remove] : []),
    ];
  };

  const rowActions = (category: CategoryRow) => {
    const { categoryId, categoryName } = category;
    return (
      <>
        {mayChange(category) ? (
          <Link to={categoryFormPath} search={{ categoryId }}>
            {t('common:edit')}
          </Link>
        ) : (
          <Link to={categoryPath(categoryId, categoryName)}>{t('common:view')}</Link>
        )}
        <RowMenu name={categoryName} items={menuOf(category)} />
      </>
    );
  };

  return (
    <>
      <PageHeader
        title={t('category:listTitle')}
        subtitle={query.data ? t('category:count', { total: query.data.total }) : ' '}
        actions={create}
      />
      <DataTable<CategoryRow>
        id="category"
        rowKey="categoryId"
        rowName={({ categoryName }) => categoryName}
        columns={columns}
        actions={rowActions}
        query={query}
        list={list}
        selectable={mayChange}
        {...(mayWrite
          ? {
              bulk: (categories: CategoryRow[], done: () => void) => (
                <Button danger size="small" onClick={() => setDeleting({ categories, done })}>
                  {t('common:delete')}
                </Button>
              ),
            }
          : {})}
        filters={<CategoryFilters list={list} />}
        empty={
          <EmptyState
            icon={<Shapes size={22} />}
            title={t('category:emptyTitle')}
            text={t('category:emptyText')}
            action={create}
          />
        }
      />
      {deleting && (
        <DeleteCategories
          categories={deleting.categories}
          onClose={() => setDeleting(undefined)}
          onDeleted={() => {
            deleting.done();
            setDeleting(undefined);
          }}
        />
      )}
    </>
  );
};

export default CategoryListPage;
