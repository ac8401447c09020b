import { type FleetCounts, homeCalls } from '@device-center/contract';
import type { ApiError } from '../../api/api-error.ts';
import { useCall } from '../../api/use-call.ts';
import type { Asked } from './asked.ts';
import type { CardQuery } from './home-card.tsx';
import type { Counted, Scope } from './home-search.ts';

/** A day as 2026-03-09 or a month as 2026-03, and what was counted in it. */
export type Count = { name: string; count: number };

const DAY_CALLS = { messages: homeCalls.getDayDeviceMessageCount, accesses: homeCalls.getDayDeviceAccessCount };
const MONTH_CALLS = { messages: homeCalls.getMonthDeviceMessageCount, accesses: homeCalls.getMonthDeviceAccessCount };
/** Days grow by what the stream tells; a month is asked for again. */
const MONTH_REFRESH_MS = 60_000;

type SeriesQuery = CardQuery<Count[]> & { error: ApiError | null };

const named = <Row extends { count: number }>(rows: readonly Row[], nameOf: (row: Row) => string): Count[] =>
  rows.map((row) => ({ name: nameOf(row), count: row.count }));

/** The present day, which comes last, is as high as the stream says by now; within a day nothing is counted back. */
export const withToday = (days: readonly Count[], today: number): Count[] =>
  days.map((day, place) => (place === days.length - 1 ? { ...day, count: Math.max(day.count, today) } : day));

const todayOf = (what: Counted, counts: FleetCounts | undefined): number =>
  (what === 'messages' ? counts?.today.messageCount : counts?.today.accessCount) ?? 0;

type DayOptions = { days: 7 | 30; counts: FleetCounts | undefined; enabled?: boolean };

export const useDays = (what: Counted, asked: Asked, { days, counts, enabled = true }: DayOptions): SeriesQuery => {
  const query = useCall(DAY_CALLS[what], { scopeSign: days, ...asked }, { enabled });
  const { data, error, dataUpdatedAt, refetch } = query;
  const series =
    data &&
    withToday(
      named(data, ({ date }) => date),
      todayOf(what, counts),
    );
  return { data: series, error, dataUpdatedAt, refetch };
};

const useMonths = (what: Counted, asked: Asked, enabled: boolean): SeriesQuery => {
  const query = useCall(MONTH_CALLS[what], asked, { enabled, refreshEvery: MONTH_REFRESH_MS });
  const { data, error, dataUpdatedAt, refetch } = query;
  return { data: data && named(data, ({ month }) => month), error, dataUpdatedAt, refetch };
};

export const useSeries = (scope: Scope, what: Counted, asked: Asked, counts: FleetCounts | undefined): SeriesQuery => {
  const monthly = scope === '12';
  const days = useDays(what, asked, { days: scope === '30' ? 30 : 7, counts, enabled: !monthly });
  const months = useMonths(what, asked, monthly);
  return monthly ? months : days;
};
