import { type FleetCounts, personalCalls } from '@device-center/contract';
import { useEffect, useState } from 'react';
import { useCan } from '../../api/session.ts';
import { useCall } from '../../api/use-call.ts';
import { usePreferences } from '../../ui/preferences.ts';
import type { HomeState } from './home-search.ts';

/** Whether the role may create the product and the mock device of the guide. */
export const useCanUseGuide = (): boolean => {
  const mayCreateProducts = useCan('product:write');
  const mayCreateMocks = useCan('mock:use');
  return mayCreateProducts && mayCreateMocks;
};

/** Whether the user has neither closed nor finished the guide; false until the preferences are loaded. */
const useUnfinished = (): boolean => {
  const localState = usePreferences((state) => state.guide);
  const { data } = useCall(personalCalls.getPreferences, {}, { staleTime: Number.POSITIVE_INFINITY });
  return localState === undefined && data !== undefined && data.preferences.guide === undefined;
};

/**
 * The guide opens by itself while there is no device. From then on the URL keeps it open: neither the first device
 * that it creates nor a reload must close it.
 */
export const useGuide = (counts: FleetCounts | undefined, { search, show }: HomeState) => {
  const canUseGuide = useCanUseGuide();
  const unfinished = useUnfinished();
  const [closed, setClosed] = useState(false);
  const hasNoDevices = counts?.deviceCount === 0 && search.tenancyId === undefined;
  const open = search.guide === 1;
  const shouldOpen = hasNoDevices && canUseGuide && unfinished && !closed && !open;
  useEffect(() => {
    if (shouldOpen) show({ guide: 1 });
  });
  const close = () => {
    setClosed(true);
    show({ guide: undefined });
  };
  return { open, close, hasNoDevices };
};
