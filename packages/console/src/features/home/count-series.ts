import { type FleetCounts, homeCalls } from '@device-center/contract';
import type { ApiError } from '../../api/api-error.ts';
import { useCall } from '../../api/use-call.ts';
import type { FleetFilter } from './fleet-filter.ts';
import type { CardQuery } from './home-card.tsx';
import type { Metric, Scope } from './home-search.ts';

/** `name` is a day such as 2026-03-09 or a month such as 2026-03. */
export type Count = { name: string; count: number };

const DAY_CALLS = { messages: homeCalls.getDayDeviceMessageCount, accesses: homeCalls.getDayDeviceAccessCount };
const MONTH_CALLS = { messages: homeCalls.getMonthDeviceMessageCount, accesses: homeCalls.getMonthDeviceAccessCount };
/** The stream updates today's count; counts of months are polled. */
const MONTH_REFRESH_MS = 60_000;

type SeriesQuery = CardQuery<Count[]> & { error: ApiError | null };

const toCounts = <Row extends { count: number }>(rows: readonly Row[], nameOf: (row: Row) => string): Count[] =>
  rows.map((row) => ({ name: nameOf(row), count: row.count }));

/** Raises the last day, which is today, to the streamed count. Within a day counts never decrease. */
export const withToday = (days: readonly Count[], today: number): Count[] =>
  days.map((day, index) => (index === days.length - 1 ? { ...day, count: Math.max(day.count, today) } : day));

const todayOf = (what: Metric, counts: FleetCounts | undefined): number =>
  (what === 'messages' ? counts?.today.messageCount : counts?.today.accessCount) ?? 0;

type DayOptions = { days: 7 | 30; counts: FleetCounts | undefined; enabled?: boolean };

export const useDays = (
  what: Metric,
  fleetFilter: FleetFilter,
  { days, counts, enabled = true }: DayOptions,
): SeriesQuery => {
  const query = useCall(DAY_CALLS[what], { scopeSign: days, ...fleetFilter }, { enabled });
  const { data, error, dataUpdatedAt, refetch } = query;
  const series =
    data &&
    withToday(
      toCounts(data, ({ date }) => date),
      todayOf(what, counts),
    );
  return { data: series, error, dataUpdatedAt, refetch };
};

const useMonths = (what: Metric, fleetFilter: FleetFilter, enabled: boolean): SeriesQuery => {
  const query = useCall(MONTH_CALLS[what], fleetFilter, { enabled, refreshEvery: MONTH_REFRESH_MS });
  const { data, error, dataUpdatedAt, refetch } = query;
  return { data: data && toCounts(data, ({ month }) => month), error, dataUpdatedAt, refetch };
};

export const useSeries = (
  scope: Scope,
  what: Metric,
  fleetFilter: FleetFilter,
  counts: FleetCounts | undefined,
): SeriesQuery => {
  const monthly = scope === '12';
  const days = useDays(what, fleetFilter, { days: scope === '30' ? 30 : 7, counts, enabled: !monthly });
  const months = useMonths(what, fleetFilter, monthly);
  return monthly ? months : days;
};
