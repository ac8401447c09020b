import type { FleetCounts } from '@device-center/contract';
import { useTranslation } from 'react-i18next';
import type { ApiError } from '../../api/api-error.ts';
import { changeText, countText } from '../../i18n/numbers.ts';
import { Sparkline } from '../../ui/sparkline.tsx';
import { ErrorCard } from '../../ui/states.tsx';
import type { Asked } from './asked.ts';
import { type Count, useDays } from './count-series.ts';
import { AsOf, type CardQuery, Skeleton } from './home-card.tsx';

const FIGURES = ['deviceCount', 'messageCount', 'connectedCount', 'onlineCount'] as const;
type FigureName = (typeof FIGURES)[number];

const DAYS = 30;
/** From here a number is too wide for half a phone. */
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
  // All along the bottom it would be a line that says nothing.
  if (total === 0) return null;
  const what = t(name === 'messageCount' ? 'chart_messages_day' : 'chart_accesses_day');
  return (
    <Sparkline
      points={series.map(({ count }, day) => ({ time: day, value: count }))}
      label={t('trend', { what, days: DAYS, total: countText(total) })}
      filled
      // Today comes last, and is not over.
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

type FiguresProps = { query: CardQuery<FleetCounts> & { error: ApiError | null }; asked: Asked; away: boolean };

/** The fleet in four numbers, which move as it does. */
export const Figures = ({ query, asked, away }: FiguresProps) => {
  const { t } = useTranslation('home');
  const { data: counts, error } = query;
  const messages = useDays('messages', asked, { days: DAYS, counts });
  const accesses = useDays('accesses', asked, { days: DAYS, counts });
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
      <AsOf query={query} away={away} />
      <ul className="dc-figures">
        {FIGURES.map((name) => (
          <Figure key={name} name={name} counts={counts} series={series[name]} />
        ))}
      </ul>
    </section>
  );
};
