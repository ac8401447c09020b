import { type DeviceDetails, NodeType } from '@device-center/contract';
import { type ReactNode, Suspense } from 'react';
import { useTranslation } from 'react-i18next';
import { mayOpen, useCan, useSession } from '../../../api/session.ts';
import { deviceListPath } from '../../../paths.ts';
import { DetailPage, LoadingCard } from '../../../ui/detail-page.tsx';
import { lazyPart, tabPart } from '../../../ui/lazy-part.tsx';
import { LiveDot } from '../../../ui/live-dot.tsx';
import type { FeatureTab } from '../../../ui/page-entry.ts';
import { ReceivedTag } from '../../../ui/received-tag.tsx';
import { samePage, useNavigate } from '../../../ui/routing.ts';
import { DeviceActions } from './device-actions.tsx';
import { DeviceBanners } from './device-banners.tsx';
import { type DeviceTab, deviceDetailSearch, deviceTabs } from './device-detail-search.ts';
import { useLiveEvents, useLiveState } from './device-live.tsx';
import { DeviceStatus } from './device-status.tsx';
import { DiagnosisCard, isDiagnosed } from './diagnosis-card.tsx';
import { OverviewTab } from './overview-tab.tsx';
import type { DetailList } from './tab-list.ts';
import { usePresence } from './use-presence.ts';

// Tabs are loaded when they are opened.
const FunctionsTab = lazyPart(() => import('./functions-tab.tsx'));
const MessagesTab = lazyPart(() => import('./messages-tab.tsx'));
const ConnectionsTab = lazyPart(() => import('./connections-tab.tsx'));
const LogsTab = lazyPart(() => import('../log/logs-tab.tsx'));
const ChildrenTab = lazyPart(() => import('./children-tab.tsx'));
const ConfigurationTab = lazyPart(() => import('./configuration-tab.tsx'));

/** All but the overview needs menu 501; only gateways have children (spec §4). */
const tabsFor = ({ nodeType }: DeviceDetails, mayRead: boolean): DeviceTab[] => {
  if (!mayRead) return ['overview'];
  return deviceTabs.filter((tab) => tab !== 'children' || nodeType === NodeType.gateway);
};

type ShownTab = { key: string; label: string; content: () => ReactNode };

type DeviceViewProps = {
  device: DeviceDetails;
  refetch: () => unknown;
  list: DetailList;
  extraTabs: readonly FeatureTab[];
};

export const DeviceView = ({ device: fetched, refetch, list, extraTabs }: DeviceViewProps) => {
  const { t } = useTranslation('deviceDetail');
  const navigate = useNavigate();
  const mayRead = useCan('device:read');
  const session = useSession();
  const live = useLiveState();
  const { device, applyPresence } = usePresence(fetched, refetch);
  useLiveEvents((event) => {
    if (event.kind === 'presence') applyPresence(event.data);
  });
  // Drops the filters of the current tab.
  const open = (next: string) =>
    void navigate({ to: samePage(deviceDetailSearch), search: { tab: next }, replace: true, resetScroll: false });

  const contents: Record<DeviceTab, () => ReactNode> = {
    overview: () => <OverviewTab device={device} />,
    functions: () => <FunctionsTab device={device} list={list} />,
    messages: () => <MessagesTab device={device} list={list} />,
    connections: () => <ConnectionsTab device={device} list={list} />,
    logs: () => <LogsTab device={device} list={list} />,
    children: () => <ChildrenTab device={device} list={list} />,
    configuration: () => <ConfigurationTab device={device} />,
  };
  const tabs: ShownTab[] = [
    ...tabsFor(device, mayRead).map((key) => ({ key, label: t(`tab_${key}`), content: contents[key] })),
    ...extraTabs
      .filter(({ menus }) => mayOpen(menus, session))
      .map((tab) => {
        const Tab = tabPart(tab);
        return { key: tab.key, label: tab.title(), content: () => <Tab id={device.deviceId} /> };
      }),
  ];
  const active = tabs.find(({ key }) => key === list.search.tab)?.key ?? 'overview';

  return (
    <div className="dc-device-page">
      <DetailPage
        title={device.deviceName}
        id={device.deviceId}
        backTo={deviceListPath}
        status={
          <>
            <DeviceStatus device={device} />
            {device.mock === 1 && <span className="dc-tag">{t('mock')}</span>}
            <ReceivedTag of={device} />
            <span className="dc-device-live">
              <LiveDot state={live} />
            </span>
          </>
        }
        actions={<DeviceActions device={device} />}
        tabs={{
          active,
          onChange: open,
          items: tabs.map(({ key, label, content }) => ({
            key,
            label,
            // Only the active tab is rendered, because the tabs share URL parameters.
            children: key === active && (
              <>
                {key === 'overview' && isDiagnosed(device) ? (
                  <DiagnosisCard device={device} onOpen={open} />
                ) : (
                  <DeviceBanners device={device} />
                )}
                <Suspense fallback={<LoadingCard />}>{content()}</Suspense>
              </>
            ),
          })),
        }}
      />
    </div>
  );
};
