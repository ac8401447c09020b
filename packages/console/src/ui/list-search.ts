import { PAGE_SIZE_DEFAULT, PAGE_SIZE_MAX } from '@device-center/contract';
import { useLocation, useParams } from '@tanstack/react-router';
import { useEffect } from 'react';
import { z } from 'zod';
import { type NoSearch, type PageTarget, type Path, pageTarget, useNavigate, usePageSearch } from './routing.ts';

/** An integer in the URL; the default if it is invalid. */
const intParam = (fallback: number, max: number) => z.coerce.number<number>().int().min(1).max(max).catch(fallback);

export const textParam = () => z.coerce.string<string>().max(100).optional().catch(undefined);

/** One of a few numbers, such as enabled 1/0; any other value is ignored. */
export const optionParam = <const Values extends readonly number[]>(values: Values) =>
  z
    .preprocess(
      (value) => (typeof value === 'string' ? Number(value) : value),
      z.literal([...values] as Values[number][]),
    )
    .optional()
    .catch(undefined);

/** A local day, such as 2026-11-15. */
export const dayParam = () => z.iso.date().optional().catch(undefined);

/** A local day, or a minute of one, such as 2026-11-15 08:30. */
export const minuteParam = () =>
  z
    .union([z.iso.date(), z.string().regex(/^\d{4}-\d{2}-\d{2} ([01]\d|2[0-3]):[0-5]\d$/)])
    .optional()
    .catch(undefined);

const listParams = {
  pageIndex: intParam(1, 1_000_000).default(1),
  pageSize: intParam(PAGE_SIZE_DEFAULT, PAGE_SIZE_MAX).default(PAGE_SIZE_DEFAULT),
  sortField: optionParam([1, 2]),
  sortMode: optionParam([1, 2]),
};

/** Search parameters of a list: paging, sorting and the page's own filters. */
export const listSearch = <Filters extends z.ZodRawShape>(filters: Filters) => z.object({ ...listParams, ...filters });

/** `Field`: ids of the sort fields; most lists sort by creation and update time only. */
export type ListSearch<Field extends number = 1 | 2> = {
  pageIndex: number;
  pageSize: number;
  sortField?: Field | undefined;
  sortMode?: 1 | 2 | undefined;
};

/** Parameters of the presentation: clearing the filters keeps them. */
const NOT_FILTERS = new Set(['pageIndex', 'pageSize', 'sortField', 'sortMode', 'view']);

const lastSearches = new Map<string, unknown>();

/** Navigates back to a list with its last page and filters. */
export const backTo = (path: Path): PageTarget => pageTarget(path, (lastSearches.get(path) ?? {}) as NoSearch);

/** The open page, whatever its filters are. */
const openPage = '.' as Path<Record<string, unknown>>;

/** The search parameters of the URL, and functions to change them. */
export const useListSearch = <Search extends ListSearch<number>>(schema: z.ZodType<Search>) => {
  const search = usePageSearch(schema);
  const { pathname } = useLocation();
  const navigate = useNavigate();
  useEffect(() => {
    lastSearches.set(pathname, search);
  });
  const write = (next: Record<string, unknown>, replace: boolean) =>
    void navigate({ to: openPage, search: next, replace, resetScroll: false });
  return {
    search,
    /** Paging and sorting. */
    turn: (change: Partial<ListSearch<number>>) => write({ ...search, ...change }, false),
    /** Changes filters and returns to page 1; an empty filter is removed from the URL. */
    filter: (change: Partial<Search>) => {
      const cleaned = Object.entries(change).map(([key, value]) => [
        key,
        value === '' || value === null ? undefined : value,
      ]);
      write({ ...search, ...Object.fromEntries(cleaned), pageIndex: 1 }, true);
    },
    clear: () => {
      const presentation = Object.entries(search).filter(([key]) => NOT_FILTERS.has(key));
      write({ ...Object.fromEntries(presentation), pageIndex: 1 }, true);
    },
    filtered: Object.entries(search).some(
      ([key, value]) => !NOT_FILTERS.has(key) && value !== undefined && String(value) !== '',
    ),
  };
};

export type ListState = Pick<
  ReturnType<typeof useListSearch<ListSearch<number>>>,
  'search' | 'turn' | 'clear' | 'filtered'
>;

export const useRouteParams = <Params>(schema: z.ZodType<Params>): Params => schema.parse(useParams({ strict: false }));

/** Spec §2: `{status}` of an add page. */
export const formMode = { create: 0, edit: 1, view: 2 } as const;
export const formModeParam = () =>
  z.coerce
    .number<number>()
    .pipe(z.literal([0, 1, 2]))
    .catch(formMode.view);
