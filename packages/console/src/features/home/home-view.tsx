import { homeCalls } from '@device-center/contract';
import { Suspense } from 'react';
import { useTranslation } from 'react-i18next';
import { POLL_MS } from '../../api/live.ts';
import { useCall } from '../../api/use-call.ts';
import { Button } from '../../ui/button.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { lazyPart } from '../../ui/lazy-part.tsx';
import type { Asked } from './asked.ts';
import { AttentionCard } from './attention-card.tsx';
import { ChartCard } from './chart-card.tsx';
import { DemonstrationNote } from './demonstration-note.tsx';
import { ProductsCard, StatesCard } from './distribution-cards.tsx';
import { FeedCard } from './feed-card.tsx';
import { Figures } from './figures.tsx';
import type { HomeState } from './home-search.ts';
import { useTargets } from './paths.ts';
import { useGuide, useMayBeGuided } from './use-guide.ts';
import { useHomeLive } from './use-home-live.ts';

const GuideCard = lazyPart(() => import('./guide/guide-card.tsx'), { prefetch: false });

const NoDevices = ({ show }: HomeState) => {
  const { t } = useTranslation('home');
  const mayBeGuided = useMayBeGuided();
  return (
    <section className="dc-card">
      <EmptyState
        title={t('emptyTitle')}
        text={t('emptyText')}
        {...(mayBeGuided ? { action: <Button onClick={() => show({ guide: 1 })}>{t('openGuide')}</Button> } : {})}
      />
    </section>
  );
};

type HomeViewProps = { home: HomeState; asked: Asked };

/** The fleet of one tenant, or of all: one stream and some calls, each with a card of its own. */
export const HomeView = ({ home, asked }: HomeViewProps) => {
  const { state: live, items } = useHomeLive(asked);
  const counts = useCall(homeCalls.getSystemDeviceCurrentCount, asked);
  const distribution = useCall(homeCalls.getDeviceDistribution, asked, { refreshEvery: POLL_MS });
  const attention = useCall(homeCalls.getAttentionList, asked, { refreshEvery: POLL_MS });
  const targets = useTargets(asked.tenancyId);
  const guide = useGuide(counts.data, home);
  return (
    <>
      {counts.data?.demonstration === 1 && <DemonstrationNote />}
      <Figures query={counts} asked={asked} away={live.kind === 'reconnecting'} />
      <div className="dc-home-columns">
        <AttentionCard query={attention} targets={targets} />
        <div className="dc-home-main">
          {guide.open && (
            <Suspense fallback={null}>
              <GuideCard open onClose={guide.close} />
            </Suspense>
          )}
          {guide.nothingYet && !guide.open && <NoDevices {...home} />}
          {!guide.nothingYet && <ChartCard {...home} asked={asked} counts={counts.data} />}
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
