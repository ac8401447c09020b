import { NodeType } from '@device-center/contract';
import { Tabs } from 'antd';
import { type ComponentType, Suspense } from 'react';
import { useTranslation } from 'react-i18next';
import { LoadingCard } from '../../../ui/detail-page.tsx';
import { lazyPart } from '../../../ui/lazy-part.tsx';
import { StatusDot } from '../../../ui/status-dot.tsx';
import { usePanel } from './panel-context.ts';
import { type PanelTab, panelTabs } from './panel-search.ts';
import { armedCount, useFaults } from './tabs/use-faults.ts';
import { useUpgradeFaults } from './tabs/use-upgrade.ts';

const contents: Record<PanelTab, ComponentType> = {
  properties: lazyPart(() => import('./tabs/properties-tab.tsx')),
  events: lazyPart(() => import('./tabs/events-tab.tsx')),
  services: lazyPart(() => import('./tabs/services-tab.tsx')),
  logs: lazyPart(() => import('./tabs/logs-tab.tsx')),
  children: lazyPart(() => import('./tabs/children-tab.tsx')),
  play: lazyPart(() => import('./tabs/play-tab.tsx')),
  upgrade: lazyPart(() => import('./tabs/upgrade-tab.tsx')),
  faults: lazyPart(() => import('./tabs/faults-tab.tsx')),
};

/** Narrow gutter, because eight tabs must fit beside the log. */
const GUTTER_PX = 12;

type PanelTabsProps = { tab: PanelTab; onOpen: (tab: PanelTab) => void };

/** Opened tabs stay mounted, so that their activity continues while another tab is shown. */
export const PanelTabs = ({ tab, onOpen }: PanelTabsProps) => {
  const { t } = useTranslation('mockPanel');
  const { details, mock, pending } = usePanel();
  const armed: Partial<Record<PanelTab, number>> = {
    upgrade: useUpgradeFaults(mock),
    faults: armedCount(useFaults(mock)),
  };
  const counts: Partial<Record<PanelTab, number>> = { services: pending.length, ...armed };
  const shown = panelTabs.filter((key) => key !== 'children' || details.nodeType === NodeType.gateway);
  const items = shown.map((key) => {
    const Content = contents[key];
    const name = t(`tab_${key}`);
    const count = counts[key] ?? 0;
    const label = count > 0 ? t('withCount', { label: name, count }) : name;
    return {
      key,
      label: (armed[key] ?? 0) > 0 ? <StatusDot tone="warning">{label}</StatusDot> : label,
      children: (
        <Suspense fallback={<LoadingCard />}>
          <Content />
        </Suspense>
      ),
    };
  });
  const active = shown.includes(tab) ? tab : 'properties';
  return (
    <Tabs
      className="dc-panel-tabs"
      tabBarGutter={GUTTER_PX}
      items={items}
      activeKey={active}
      onChange={(key) => {
        const next = shown.find((name) => name === key);
        if (next) onOpen(next);
      }}
    />
  );
};
