import { type ProductRow, productCalls } from '@device-center/contract';
import { Plus } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useCan } from '../../api/session.ts';
import { useCall } from '../../api/use-call.ts';
import { productFormPath, productPath } from '../../paths.ts';
import { Button } from '../../ui/button.tsx';
import { CopyId } from '../../ui/copy-id.tsx';
import { DataTable } from '../../ui/data-table.tsx';
import { useListSearch } from '../../ui/list-search.ts';
import { PageHeader } from '../../ui/page-header.tsx';
import { ReceivedTag } from '../../ui/received-tag.tsx';
import { Link, samePage, useNavigate } from '../../ui/routing.ts';
import { RowMenu } from '../../ui/row-menu.tsx';
import { type ListView, ViewSwitch } from '../../ui/view-switch.tsx';
import { Category } from './category-name.tsx';
import { DeleteProducts } from './delete-products.tsx';
import { DeviceCount } from './device-count.tsx';
import { NoProducts } from './no-products.tsx';
import { ProductCard } from './product-card.tsx';
import { useProductColumns } from './product-columns.tsx';
import { ProductFilters } from './product-filters.tsx';
import { productListSearch } from './product-search.ts';

const CardOf = (product: ProductRow) => {
  const { t } = useTranslation('product');
  const { productId, productName, functionCount } = product;
  return (
    <ProductCard
      {...product}
      category={<Category product={product} />}
      title={
        <span className="dc-marked-name">
          <Link to={productPath(productId)}>{productName}</Link>
          <ReceivedTag of={product} />
        </span>
      }
      subtitle={<CopyId value={productId} label={productName} />}
      counts={
        <>
          <DeviceCount product={product} words />
          <span>{t('functionCount', { count: functionCount })}</span>
        </>
      }
    />
  );
};

const ProductListPage = () => {
  const { t } = useTranslation(['product', 'common', 'shell']);
  const navigate = useNavigate();
  const mayWrite = useCan('product:write');
  // The form of a received product can change only its application.
  const mayApplications = useCan('application:list');
  const list = useListSearch(productListSearch);
  const { view, ...filters } = list.search;
  const query = useCall(productCalls.queryDeviceProductList, filters, { keepPrevious: true });
  const columns = useProductColumns();
  const [deleting, setDeleting] = useState<{ products: ProductRow[]; done: () => void }>();

  const show = (next: ListView) =>
    void navigate({
      to: samePage(productListSearch),
      search: { ...list.search, view: next === 'cards' ? next : undefined },
      replace: true,
    });

  const { categoryId, tenancyId } = list.search;
  const create = mayWrite && (
    <Button
      type="primary"
      icon={<Plus size={16} aria-hidden />}
      onClick={() => void navigate({ to: productFormPath, search: { categoryId, tenancyId } })}
    >
      {t('shell:addProductTitle')}
    </Button>
  );

  const rowActions = (product: ProductRow) => {
    const { productId, productName } = product;
    if (!mayWrite) return <Link to={productPath(productId)}>{t('common:view')}</Link>;
    return (
      <>
        {product.received === 1 && !mayApplications ? (
          <Button type="link" size="small" disabled title={t('common:receivedText')}>
            {t('common:edit')}
          </Button>
        ) : (
          <Link to={productFormPath} search={{ productId }}>
            {t('common:edit')}
          </Link>
        )}
        <RowMenu
          name={productName}
          items={[
            {
              key: 'view',
              label: t('common:view'),
              onClick: () => void navigate({ to: productPath(productId) }),
            },
            {
              key: 'delete',
              label: t('common:delete'),
              danger: true,
              onClick: () => setDeleting({ products: [product], done: () => undefined }),
            },
          ]}
        />
      </>
    );
  };

  return (
    <div className="dc-product-list">
      <PageHeader
        title={t('shell:productListTitle')}
        subtitle={query.data ? t('product:count', { total: query.data.total }) : ' '}
        actions={
          <>
            <ViewSwitch view={view ?? 'table'} onChange={show} />
            {create}
          </>
        }
      />
      <DataTable<ProductRow>
        id="product"
        rowKey="productId"
        rowName={({ productName }) => productName}
        columns={columns}
        actions={rowActions}
        query={query}
        list={list}
        {...(view === 'cards' ? { card: (product: ProductRow) => <CardOf {...product} /> } : {})}
        {...(mayWrite
          ? {
              bulk: (products: ProductRow[], done: () => void) => (
                <Button danger size="small" onClick={() => setDeleting({ products, done })}>
                  {t('common:delete')}
                </Button>
              ),
            }
          : {})}
        filters={<ProductFilters list={list} />}
        empty={<NoProducts create={create} />}
      />
      {deleting && (
        <DeleteProducts
          products={deleting.products}
          onClose={() => setDeleting(undefined)}
          onDeleted={() => {
            deleting.done();
            setDeleting(undefined);
          }}
        />
      )}
    </div>
  );
};

export default ProductListPage;
