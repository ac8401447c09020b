import type { FleetCounts } from '@device-center/contract';
import { useTranslation } from 'react-i18next';
import type { ApiError } from '../../api/api-error.ts';
import { changeText, countText } from '../../i18n/numbers.ts';
import { Sparkline } from '../../ui/sparkline.tsx';
import { ErrorCard } from '../../ui/states.tsx';
import { type Count, useDays } from './count-series.ts';
import type { FleetFilter } from './fleet-filter.ts';
import { AsOf, type CardQuery, Skeleton } from './home-card.tsx';

const FIGURES = ['deviceCount', 'messageCount', 'connectedCount', 'onlineCount'] as const;
type FigureName = (typeof FIGURES)[number];

const DAYS = 30;
/** Numbers from here on are too wide for half the width of a phone. */
const LONG = 1e8;

type FigureProps = { name: FigureName; counts: FleetCounts | undefined; series: Count[] | undefined };

const Change = ({ change }: { change: number }) => {
  const { t } = useTranslation('home');
  if (change === 0) return <p className="dc-figure-change">{t('unchanged')}</p>;
  return (
    <p className="dc-figure-change" data-change={change > 0 ? 'up' : 'down'}>
      {t('today', { change: changeText(change) })}
    </p>
  );
};

const Trend = ({ name, series }: { name: FigureName; series: Count[] }) => {
  const { t } = useTranslation('home');
  const total = series.reduce((sum, { count }) => sum + count, 0);
  // A trend of zeros would be a line without information.
  if (total === 0) return null;
  const what = t(name === 'messageCount' ? 'chart_messages_day' : 'chart_accesses_day');
  return (
    <Sparkline
      points={series.map(({ count }, day) => ({ time: day, value: count }))}
      label={t('trend', { what, days: DAYS, total: countText(total) })}
      filled
      // The last point is today, which is incomplete.
      partial
    />
  );
};

const Figure = ({ name, counts, series }: FigureProps) => {
  const { t } = useTranslation('home');
  return (
    <li className="dc-card dc-figure" aria-busy={counts === undefined}>
      <h2>{t(`figure_${name}`)}</h2>
      {counts === undefined ? (
        <Skeleton rows={2} />
      ) : (
        <>
          <p className="dc-figure-number" data-long={counts[name] >= LONG}>
            {countText(counts[name])}
          </p>
          <Change change={counts.today[name]} />
        </>
      )}
      {series && <Trend name={name} series={series} />}
    </li>
  );
};

type FiguresProps = {
  query: CardQuery<FleetCounts> & { error: ApiError | null };
  fleetFilter: FleetFilter;
  stale: boolean;
};

/** Four live figures of the fleet. */
export const Figures = ({ query, fleetFilter, stale }: FiguresProps) => {
  const { t } = useTranslation('home');
  const { data: counts, error } = query;
  const messages = useDays('messages', fleetFilter, { days: DAYS, counts });
  const accesses = useDays('accesses', fleetFilter, { days: DAYS, counts });
  const series: Partial<Record<FigureName, Count[] | undefined>> = {
    messageCount: messages.data,
    connectedCount: accesses.data,
  };
  if (error && counts === undefined)
    return (
      <section className="dc-card dc-home-card dc-figures-failed" aria-label={t('figures')}>
        <ErrorCard error={error} onRetry={() => void query.refetch()} />
      </section>
    );
  return (
    <section className="dc-figures-section" aria-label={t('figures')}>
      <AsOf query={query} stale={stale} />
      <ul className="dc-figures">
        {FIGURES.map((name) => (
          <Figure key={name} name={name} counts={counts} series={series[name]} />
        ))}
      </ul>
    </section>
  );
};
