import { ConnectStatus, recordCalls } from '@device-center/contract';
import { useEffect, useRef } from 'react';
import { useLive } from '../../../api/live.ts';
import { useCall } from '../../../api/use-call.ts';
import type { RefusedListSearch } from './refused-search.ts';

/** A device that tries again and again is refused again and again: the list is read once for each of these. */
const GATHER_MS = 1_000;

/** Refused log-ins, read anew when there is another one, and every 10 s while nobody tells. */
export const useRefusals = ({ sortField: _field, ...search }: RefusedListSearch) => {
  const query = useCall(recordCalls.queryRefusedLogins, search, { keepPrevious: true });
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const latest = useRef(query.refetch);
  latest.current = query.refetch;
  useEffect(() => () => clearTimeout(timer.current), []);
  const readAnew = () => {
    timer.current = undefined;
    void latest.current();
  };
  const live = useLive({
    kinds: ['presence'],
    tenancyId: search.tenancyId,
    refetch: readAnew,
    onEvent: (event) => {
      const refused = event.kind === 'presence' && event.data.status === ConnectStatus.refused;
      if (refused || event.kind === 'gap') timer.current ??= setTimeout(readAnew, GATHER_MS);
    },
  });
  return { query, live };
};
