import type { ListState, useListSearch } from '../../../ui/list-search.ts';
import type { DeviceDetailSearch } from './device-detail-search.ts';

export type DetailList = ReturnType<typeof useListSearch<DeviceDetailSearch>>;

/** The list state of one tab: only the tab's own filters count, and clearing them stays on the tab. */
export const tabList = (list: DetailList, filters: readonly (keyof DeviceDetailSearch)[]): ListState => ({
  search: list.search,
  turn: list.turn,
  clear: () => list.filter(Object.fromEntries(filters.map((key) => [key, undefined]))),
  filtered: filters.some((key) => list.search[key] !== undefined),
});
