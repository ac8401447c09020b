import { z } from 'zod';
import { formInt, formOption } from './fields.ts';

export const PAGE_SIZE_DEFAULT = 10;
export const PAGE_SIZE_MAX = 200;

export const SortField = { createTime: 1, updateTime: 2 } as const;
export const SortMode = { ascending: 1, descending: 2 } as const;

export const paging = {
  pageIndex: formInt(1, 1_000_000).default(1),
  pageSize: formInt(1, PAGE_SIZE_MAX).default(PAGE_SIZE_DEFAULT),
};

export const sorting = {
  sortField: formOption([1, 2]).default(SortField.createTime),
  sortMode: formOption([1, 2]).default(SortMode.descending),
};

/** Additional sort fields of devices: name, time of the last presence change, firmware version. */
export const DeviceSortField = { ...SortField, deviceName: 3, presenceTime: 4, versionNumber: 5 } as const;
export const deviceSortFields = [1, 2, 3, 4, 5] as const;
export type DeviceSortFieldId = (typeof deviceSortFields)[number];

export const deviceSorting = {
  ...sorting,
  sortField: formOption(deviceSortFields).default(DeviceSortField.createTime),
};

export const pageOf = <Row extends z.ZodType>(row: Row) =>
  z.object({ pageIndex: z.int(), pageSize: z.int(), total: z.int(), list: z.array(row) });

export type Page<Row> = { pageIndex: number; pageSize: number; total: number; list: Row[] };
