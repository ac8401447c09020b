import { deviceSortFields } from '@device-center/contract';
import { z } from 'zod';
import { listSearch, minuteParam, optionParam, textParam } from '../../../ui/list-search.ts';

export const deviceTabs = [
  'overview',
  'functions',
  'messages',
  'connections',
  'logs',
  'children',
  'configuration',
] as const;
export type DeviceTab = (typeof deviceTabs)[number];

/** URL parameters of all tabs; each tab reads its own. */
export const deviceDetailSearch = listSearch({
  /** A tab of this page, or one that another feature adds. */
  tab: z.string().max(32).catch('overview').default('overview'),
  /** Child devices. */
  sortField: optionParam(deviceSortFields),
  /** Messages. */
  functionType: optionParam([1, 2, 3]),
  dataFlow: optionParam([1, 2]),
  functionId: textParam(),
  messageId: textParam(),
  /** Messages and logs. */
  from: minuteParam(),
  to: minuteParam(),
  /** Connections. */
  status: optionParam([1, 2, 3]),
  /** Logs. */
  level: optionParam([2, 3, 4, 5, 6, 7]),
  searchValue: textParam(),
});
export type DeviceDetailSearch = z.output<typeof deviceDetailSearch>;
