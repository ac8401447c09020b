import { ConnectStatus } from '@device-center/contract';
import { useEffect, useRef } from 'react';
import { type LiveState, useLive } from '../../../api/live.ts';

/** A device that retries is rejected again and again: the list is refetched once per interval. */
const BATCH_MS = 1_000;

/** Refetches when a connection is rejected, and every 10 s while the stream is disconnected. */
export const useRejections = (tenancyId: string | undefined, refetch: () => unknown): LiveState => {
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const latest = useRef(refetch);
  latest.current = refetch;
  useEffect(() => () => clearTimeout(timer.current), []);
  const refetchNow = () => {
    timer.current = undefined;
    void latest.current();
  };
  return useLive({
    kinds: ['presence'],
    tenancyId,
    refetch: refetchNow,
    onEvent: (event) => {
      const rejected = event.kind === 'presence' && event.data.status === ConnectStatus.refused;
      if (rejected || event.kind === 'gap') timer.current ??= setTimeout(refetchNow, BATCH_MS);
    },
  });
};
