import { homeCalls } from '@device-center/contract';
import { Suspense } from 'react';
import { useTranslation } from 'react-i18next';
import { POLL_MS } from '../../api/live.ts';
import { useCall } from '../../api/use-call.ts';
import { Button } from '../../ui/button.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { lazyPart } from '../../ui/lazy-part.tsx';
import { AttentionCard } from './attention-card.tsx';
import { ChartCard } from './chart-card.tsx';
import { DemonstrationNote } from './demonstration-note.tsx';
import { ProductsCard, StatesCard } from './distribution-cards.tsx';
import { FeedCard } from './feed-card.tsx';
import { Figures } from './figures.tsx';
import type { FleetFilter } from './fleet-filter.ts';
import type { HomeState } from './home-search.ts';
import { useTargets } from './paths.ts';
import { useCanUseGuide, useGuide } from './use-guide.ts';
import { useHomeLive } from './use-home-live.ts';

const GuideCard = lazyPart(() => import('./guide/guide-card.tsx'), { prefetch: false });

const NoDevices = ({ show }: HomeState) => {
  const { t } = useTranslation('home');
  const canUseGuide = useCanUseGuide();
  return (
    <section className="dc-card">
      <EmptyState
        title={t('emptyTitle')}
        text={t('emptyText')}
        {...(canUseGuide ? { action: <Button onClick={() => show({ guide: 1 })}>{t('openGuide')}</Button> } : {})}
      />
    </section>
  );
};

type HomeViewProps = { home: HomeState; fleetFilter: FleetFilter };

/** The fleet of one or all tenants: one stream, and one call for each card. */
export const HomeView = ({ home, fleetFilter }: HomeViewProps) => {
  const { state: live, items } = useHomeLive(fleetFilter);
  const counts = useCall(homeCalls.getSystemDeviceCurrentCount, fleetFilter);
  const distribution = useCall(homeCalls.getDeviceDistribution, fleetFilter, { refreshEvery: POLL_MS });
  const attention = useCall(homeCalls.getAttentionList, fleetFilter, { refreshEvery: POLL_MS });
  const targets = useTargets(fleetFilter.tenancyId);
  const guide = useGuide(counts.data, home);
  return (
    <>
      {counts.data?.demonstration === 1 && <DemonstrationNote />}
      <Figures query={counts} fleetFilter={fleetFilter} stale={live.kind === 'reconnecting'} />
      <div className="dc-home-columns">
        <AttentionCard query={attention} targets={targets} />
        <div className="dc-home-main">
          {guide.open && (
            <Suspense fallback={null}>
              <GuideCard open onClose={guide.close} />
            </Suspense>
          )}
          {guide.hasNoDevices && !guide.open && <NoDevices {...home} />}
          {!guide.hasNoDevices && <ChartCard {...home} fleetFilter={fleetFilter} counts={counts.data} />}
        </div>
        <FeedCard items={items} live={live} targets={targets} />
        <div className="dc-home-pair">
          <ProductsCard query={distribution} targets={targets} />
          <StatesCard query={distribution} targets={targets} />
        </div>
      </div>
    </>
  );
};
