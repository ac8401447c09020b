import type { ProductRow } from '@device-center/contract';
import { type ReactNode, Suspense, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { mayOpen, useSession } from '../../api/session.ts';
import { productListPath } from '../../paths.ts';
import { DetailPage, LoadingCard } from '../../ui/detail-page.tsx';
import { lazyPart, tabPart } from '../../ui/lazy-part.tsx';
import { useListSearch } from '../../ui/list-search.ts';
import type { FeatureTab } from '../../ui/page-entry.ts';
import { ReceivedTag } from '../../ui/received-tag.tsx';
import { samePage, useNavigate } from '../../ui/routing.ts';
import { DeviceCount } from './device-count.tsx';
import { DevicesTab } from './devices-tab.tsx';
import { InformationTab } from './information-tab.tsx';
import { ProductActions } from './product-actions.tsx';
import { type ChangeSearch, type ProductTab, productDetailSearch, productTabs } from './product-search.ts';
import { ProductTile } from './product-tile.tsx';

// Load the code of editor, comparison and generators only when their tabs are opened.
const ModelTab = lazyPart(() => import('./model-tab.tsx'));
const VersionsTab = lazyPart(() => import('./versions-tab.tsx'));
const CodeTab = lazyPart(() => import('./code-tab.tsx'));

const tabTexts = {
  information: 'tabInformation',
  model: 'tabModel',
  versions: 'tabVersions',
  devices: 'tabDevices',
  code: 'tabCode',
} as const;

const isProductTab = (key: string): key is ProductTab => productTabs.some((tab) => tab === key);

type ShownTab = { key: string; label: ReactNode; content: ReactNode };

type ProductViewProps = { product: ProductRow; featureTabs: readonly FeatureTab[] };

export const ProductView = ({ product, featureTabs }: ProductViewProps) => {
  const { t } = useTranslation('product');
  const navigate = useNavigate();
  const session = useSession();
  const list = useListSearch(productDetailSearch);
  const { search } = list;
  const [unsaved, setUnsaved] = useState(false);
  const { productId, productName, icon, nodeType } = product;
  const go: ChangeSearch = (change) => {
    const next = (latest: object) => {
      const current = productDetailSearch.parse(latest);
      return { ...current, ...(typeof change === 'function' ? change(current) : change) };
    };
    void navigate({ to: samePage(productDetailSearch), search: next, replace: true, resetScroll: false });
  };

  const contents: Record<ProductTab, ReactNode> = {
    information: <InformationTab product={product} />,
    model: <ModelTab product={product} onUnsaved={setUnsaved} />,
    versions: <VersionsTab product={product} search={search} go={go} unsaved={unsaved} />,
    devices: <DevicesTab product={product} list={list} />,
    code: <CodeTab product={product} format={search.format} go={go} />,
  };

  const own = (tab: ProductTab): ShownTab => ({
    key: tab,
    label: (
      <>
        {t(tabTexts[tab])}
        {tab === 'model' && unsaved && <i className="dc-tab-dot" role="img" aria-label={t('unsaved')} />}
      </>
    ),
    content: contents[tab],
  });
  const otherTabs = featureTabs
    .filter(({ menus }) => mayOpen(menus, session))
    .map((tab): ShownTab => {
      const Tab = tabPart(tab);
      return { key: tab.key, label: tab.title(), content: <Tab id={productId} /> };
    });
  // Users who may see the device list get its table here; others get a plain list.
  const tabOf = (tab: ProductTab): ShownTab => otherTabs.find(({ key }) => key === tab) ?? own(tab);
  const tabs = [
    ...productTabs.filter((tab) => tab !== 'code').map(tabOf),
    ...otherTabs.filter(({ key }) => !isProductTab(key)),
    // Generated code is for device developers, so its tab comes last.
    own('code'),
  ];

  return (
    <div className="dc-product-page">
      <DetailPage
        title={productName}
        id={productId}
        picture={<ProductTile icon={icon} nodeType={nodeType} size="large" />}
        backTo={productListPath}
        status={
          <>
            <ReceivedTag of={product} />
            <span>{product.nodeTypeName}</span>
            <DeviceCount product={product} words />
          </>
        }
        actions={<ProductActions product={product} />}
        tabs={{
          active: tabs.find(({ key }) => key === search.tab)?.key ?? 'information',
          onChange: (tab) => go({ tab, pageIndex: 1 }),
          // Opened tabs stay mounted, so that drafts are kept when the user switches tabs.
          items: tabs.map(({ key, label, content }) => ({
            key,
            label,
            children: <Suspense fallback={<LoadingCard />}>{content}</Suspense>,
          })),
        }}
      />
    </div>
  );
};
