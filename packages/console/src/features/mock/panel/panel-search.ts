import { z } from 'zod';
import { optionParam } from '../../../ui/list-search.ts';
import { samePage, useNavigate, usePageSearch } from '../../../ui/routing.ts';

export const panelTabs = ['properties', 'events', 'services', 'logs', 'children', 'play', 'upgrade', 'faults'] as const;
export type PanelTab = (typeof panelTabs)[number];

const FIRST_TAB: PanelTab = 'properties';

export const panelSearch = z.object({
  tab: z.enum(panelTabs).catch(FIRST_TAB).default(FIRST_TAB),
  /** 1: the device is online while the page is open. */
  start: optionParam([1]),
});

/** State in the URL, which a reload restores: the open tab, and whether the device should be online. */
export const usePanelAddress = () => {
  const { tab, start } = usePageSearch(panelSearch);
  const navigate = useNavigate();
  const write = (next: { tab: PanelTab; start: 1 | undefined }) =>
    void navigate({
      to: samePage(panelSearch),
      search: { ...next, tab: next.tab === FIRST_TAB ? undefined : next.tab },
      replace: true,
      resetScroll: false,
    });
  return {
    tab,
    wanted: start === 1,
    open: (next: PanelTab) => write({ tab: next, start }),
    setWanted: (online: boolean) => write({ tab, start: online ? 1 : undefined }),
  };
};
