import { z } from 'zod';
import { optionParam, textParam } from '../../ui/list-search.ts';
import { samePage, useNavigate, usePageSearch } from '../../ui/routing.ts';

/** 7 or 30 days, or 12 months. */
const scopes = ['7', '30', '12'] as const;
export type Scope = (typeof scopes)[number];
const metrics = ['messages', 'accesses'] as const;
export type Metric = (typeof metrics)[number];

/** What the page shows, stored in the URL. */
export const homeSearch = z.object({
  scope: z.enum(scopes).catch('7').default('7'),
  what: z.enum(metrics).catch('messages').default('messages'),
  view: z.enum(['chart', 'table']).catch('chart').default('chart'),
  /** For platform operators: one tenant instead of all. */
  tenancyId: textParam(),
  /** 1 opens the guide. */
  guide: optionParam([1]),
});
export type HomeSearch = z.output<typeof homeSearch>;

export const useHomeSearch = () => {
  const search = usePageSearch(homeSearch);
  const navigate = useNavigate();
  const show = (change: Partial<HomeSearch>) =>
    void navigate({ to: samePage(homeSearch), search: { ...search, ...change }, replace: true, resetScroll: false });
  return { search, show };
};
export type HomeState = ReturnType<typeof useHomeSearch>;
