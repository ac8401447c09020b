import type { FleetCounts } from '@device-center/contract';
import { Segmented } from 'antd';
import i18next from 'i18next';
import { ChartColumn, Download, Table2 } from 'lucide-react';
import { type ReactNode, Suspense } from 'react';
import { useTranslation } from 'react-i18next';
import { languageTag } from '../../i18n/language.ts';
import { countText, shortText } from '../../i18n/numbers.ts';
import { Button } from '../../ui/button.tsx';
import type { Bar } from '../../ui/chart.tsx';
import { downloadCsv } from '../../ui/csv.ts';
import { lazyPart } from '../../ui/lazy-part.tsx';
import { type Count, useSeries } from './count-series.ts';
import { CountTable } from './count-table.tsx';
import { type FleetFilter, timeZoneText } from './fleet-filter.ts';
import { HomeCard, Skeleton } from './home-card.tsx';
import type { HomeSearch, HomeState, Metric, Scope } from './home-search.ts';

const BarChart = lazyPart(() => import('../../ui/chart.tsx'));

const unitOf = (scope: Scope): 'day' | 'month' => (scope === '12' ? 'month' : 'day');

const ChartTools = ({ search, show }: HomeState) => {
  const { t } = useTranslation('home');
  const iconOption = (icon: ReactNode, text: string) => ({
    icon,
    label: <span className="dc-visually-hidden">{text}</span>,
  });
  return (
    <div className="dc-chart-tools">
      <Segmented<Metric>
        size="small"
        aria-label={t('what')}
        value={search.what}
        options={[
          { value: 'messages', label: t('what_messages') },
          { value: 'accesses', label: t('what_accesses') },
        ]}
        onChange={(what) => show({ what })}
      />
      <Segmented<Scope>
        size="small"
        aria-label={t('scope')}
        value={search.scope}
        options={[
          { value: '7', label: t('scope_7') },
          { value: '30', label: t('scope_30') },
          { value: '12', label: t('scope_12') },
        ]}
        onChange={(scope) => show({ scope })}
      />
      <Segmented<HomeSearch['view']>
        size="small"
        aria-label={t('view')}
        value={search.view}
        options={[
          { value: 'chart', ...iconOption(<ChartColumn size={15} aria-hidden />, t('view_chart')) },
          { value: 'table', ...iconOption(<Table2 size={15} aria-hidden />, t('view_table')) },
        ]}
        onChange={(view) => show({ view })}
      />
    </div>
  );
};

const monthName = (month: string): string =>
  new Intl.DateTimeFormat(languageTag(), { month: 'short', timeZone: 'UTC' }).format(new Date(`${month}-01`));

/** The axis label is the part of the date that differs between bars; the tooltip shows the whole date. */
const barOf = ({ name, count }: Count, unit: 'day' | 'month', partial: boolean): Bar => ({
  name: unit === 'day' ? name.slice(5) : monthName(name),
  title: partial ? i18next.t('home:soFar', { name }) : name,
  value: count,
  partial,
});

type ChartCardProps = HomeState & { fleetFilter: FleetFilter; counts: FleetCounts | undefined };

/** Messages or connections over time, as a bar chart, a table or a CSV file. */
export const ChartCard = ({ search, show, fleetFilter, counts }: ChartCardProps) => {
  const { t } = useTranslation('home');
  const { scope, what, view } = search;
  const unit = unitOf(scope);
  const query = useSeries(scope, what, fleetFilter, counts);
  const title = t(`chart_${what}_${unit}`);
  const totalOf = (series: Count[]) => countText(series.reduce((sum, { count }) => sum + count, 0));
  const save = (series: Count[]) =>
    downloadCsv(`${what}-${series.at(0)?.name}-${series.at(-1)?.name}.csv`, [
      [t(`unit_${unit}`), t(`what_${what}`)],
      ...series.map(({ name, count }) => [name, String(count)]),
    ]);
  return (
    <HomeCard
      title={title}
      className="dc-home-chart"
      query={query}
      extra={<ChartTools search={search} show={show} />}
      skeleton={<Skeleton rows={7} className="dc-chart-skeleton" />}
    >
      {(series) => (
        <>
          <div className="dc-chart-place">
            {view === 'table' ? (
              <CountTable
                label={t('view_table')}
                caption={title}
                unit={t(`unit_${unit}`)}
                what={t(`what_${what}`)}
                counts={series}
              />
            ) : (
              <Suspense fallback={null}>
                <BarChart
                  label={t('chartLabel', {
                    title,
                    from: series.at(0)?.name ?? '',
                    to: series.at(-1)?.name ?? '',
                    total: totalOf(series),
                  })}
                  bars={series.map((count, index) => barOf(count, unit, index === series.length - 1))}
                  formatValue={countText}
                  formatAxis={shortText}
                />
              </Suspense>
            )}
          </div>
          <footer>
            <span>{t('total', { total: totalOf(series) })}</span>
            {view === 'chart' && <span className="dc-chart-partial">{t(`partial_${unit}`)}</span>}
            <span>{t('zone', { zone: timeZoneText(fleetFilter.timezone) })}</span>
            <Button
              size="small"
              type="text"
              icon={<Download size={14} aria-hidden />}
              aria-label={t('saveCsv')}
              title={t('saveCsv')}
              onClick={() => save(series)}
            >
              CSV
            </Button>
          </footer>
        </>
      )}
    </HomeCard>
  );
};
