import { type FleetCounts, personalCalls } from '@device-center/contract';
import { useEffect, useState } from 'react';
import { useCan } from '../../api/session.ts';
import { useCall } from '../../api/use-call.ts';
import { usePreferences } from '../../ui/preferences.ts';
import type { HomeState } from './home-search.ts';

/** Whether this role can make what the first steps are made of. */
export const useMayBeGuided = (): boolean => {
  const mayMakeProducts = useCan('product:write');
  const mayMakeMocks = useCan('mock:use');
  return mayMakeProducts && mayMakeMocks;
};

/** Whether nobody has closed or finished the first steps; not known before the hub has told. */
const useUnfinished = (): boolean => {
  const chosen = usePreferences((state) => state.guide);
  const { data } = useCall(personalCalls.getPreferences, {}, { staleTime: Number.POSITIVE_INFINITY });
  return chosen === undefined && data !== undefined && data.preferences.guide === undefined;
};

/**
 * The first steps open by themselves where there is no device yet. From then on the address holds them open: the first
 * device that they make, or a reload, must not end them.
 */
export const useGuide = (counts: FleetCounts | undefined, { search, show }: HomeState) => {
  const mayBeGuided = useMayBeGuided();
  const unfinished = useUnfinished();
  const [closed, setClosed] = useState(false);
  const nothingYet = counts?.deviceCount === 0 && search.tenancyId === undefined;
  const open = search.guide === 1;
  const opensItself = nothingYet && mayBeGuided && unfinished && !closed && !open;
  useEffect(() => {
    if (opensItself) show({ guide: 1 });
  });
  const close = () => {
    setClosed(true);
    show({ guide: undefined });
  };
  return { open, close, nothingYet };
};
