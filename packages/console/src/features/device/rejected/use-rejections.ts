import { ConnectStatus } from '@device-center/contract';
import { useEffect, useRef } from 'react';
import { type LiveState, useLive } from '../../../api/live.ts';

/** A device that tries again and again is refused again and again: the list is read once for each of these. */
const GATHER_MS = 1_000;

/** Reads refused log-ins anew when there is another one, and every 10 s while nobody tells. */
export const useRefusalNews = (tenancyId: string | undefined, refetch: () => unknown): LiveState => {
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const latest = useRef(refetch);
  latest.current = refetch;
  useEffect(() => () => clearTimeout(timer.current), []);
  const readAnew = () => {
    timer.current = undefined;
    void latest.current();
  };
  return useLive({
    kinds: ['presence'],
    tenancyId,
    refetch: readAnew,
    onEvent: (event) => {
      const refused = event.kind === 'presence' && event.data.status === ConnectStatus.refused;
      if (refused || event.kind === 'gap') timer.current ??= setTimeout(readAnew, GATHER_MS);
    },
  });
};
