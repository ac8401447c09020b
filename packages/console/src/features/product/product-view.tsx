import type { ProductRow } from '@device-center/contract';
import { useNavigate } from '@tanstack/react-router';
import { lazy, type ReactNode, Suspense, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { DetailPage, LoadingCard } from '../../ui/detail-page.tsx';
import { useListSearch } from '../../ui/list-search.ts';
import { DeviceCount } from './device-count.tsx';
import { DevicesTab } from './devices-tab.tsx';
import { InformationTab } from './information-tab.tsx';
import { ProductActions } from './product-actions.tsx';
import { type ProductTab, productDetailSearch, productListPath, productTabs } from './product-search.ts';
import { ProductTile } from './product-tile.tsx';

// The editor, the comparisons and the generators are only for those who open their tabs.
const ModelTab = lazy(() => import('./model-tab.tsx'));
const VersionsTab = lazy(() => import('./versions-tab.tsx'));
const CodeTab = lazy(() => import('./code-tab.tsx'));

const tabTexts = {
  information: 'tabInformation',
  model: 'tabModel',
  versions: 'tabVersions',
  devices: 'tabDevices',
  code: 'tabCode',
} as const;

export const ProductView = ({ product }: { product: ProductRow }) => {
  const { t } = useTranslation('product');
  const navigate = useNavigate();
  const list = useListSearch(productDetailSearch);
  const { search } = list;
  const [unsaved, setUnsaved] = useState(false);
  const { productId, productName, icon, nodeType } = product;
  const go = (change: Partial<typeof search>) =>
    void navigate({ to: '.', search: { ...search, ...change } as never, replace: true, resetScroll: false });

  const contents: Record<ProductTab, ReactNode> = {
    information: <InformationTab product={product} />,
    model: <ModelTab product={product} onUnsaved={setUnsaved} />,
    versions: <VersionsTab product={product} search={search} go={go} unsaved={unsaved} />,
    devices: <DevicesTab product={product} list={list} />,
    code: <CodeTab product={product} format={search.format} go={go} />,
  };

  return (
    <div className="dc-product-page">
      <DetailPage
        title={productName}
        id={productId}
        picture={<ProductTile icon={icon} nodeType={nodeType} size="large" />}
        backTo={productListPath}
        status={
          <>
            <span>{product.nodeTypeName}</span>
            <DeviceCount product={product} words />
          </>
        }
        actions={<ProductActions product={product} />}
        tabs={{
          active: search.tab,
          onChange: (tab) => go({ tab: tab as ProductTab, pageIndex: 1 }),
          // A tab once opened stays as it is, drafts and all, when another is looked at.
          items: productTabs.map((tab) => ({
            key: tab,
            label: (
              <>
                {t(tabTexts[tab])}
                {tab === 'model' && unsaved && <i className="dc-tab-dot" role="img" aria-label={t('unsaved')} />}
              </>
            ),
            children: <Suspense fallback={<LoadingCard />}>{contents[tab]}</Suspense>,
          })),
        }}
      />
    </div>
  );
};
