import type { MockDetails, MockProfile } from '@device-center/contract';
import { useEffect, useState } from 'react';
import { createMessageStore } from './message-store.ts';
import { createPanelSession, type PanelSession } from './panel-session.ts';

const bodyOf = ({ deviceId, deviceName, deviceSecret, signMethod, functions }: MockProfile) => ({
  deviceId,
  deviceName,
  deviceSecret,
  signMethod,
  functions,
});

/** Key of the attributes that a mock cannot change after its creation. */
const makeOf = (details: MockDetails): string => JSON.stringify([details, ...details.children].map(bodyOf));

/** Runs the session while `wanted` and the page is open; also restarts it if the page is restored from the cache. */
const useRunning = (session: PanelSession, wanted: boolean): void => {
  useEffect(() => {
    if (!wanted) return;
    const comeBack = ({ persisted }: PageTransitionEvent): void => {
      if (persisted) session.start();
    };
    session.start();
    window.addEventListener('pagehide', session.stop);
    window.addEventListener('pageshow', comeBack);
    return () => {
      window.removeEventListener('pagehide', session.stop);
      window.removeEventListener('pageshow', comeBack);
      session.stop();
    };
  }, [session, wanted]);
};

/** The session of a device while its page is open. The messages are kept when the mock is replaced. */
export const useSession = (details: MockDetails, wanted: boolean) => {
  const [messages] = useState(createMessageStore);
  const make = makeOf(details);
  const [kept, keep] = useState(() => ({ make, session: createPanelSession({ details, onMessage: messages.take }) }));
  useRunning(kept.session, wanted);
  if (kept.make !== make) {
    const before = kept.session.mock;
    keep({ make, session: createPanelSession({ details, onMessage: messages.take, before }) });
  }
  return { session: kept.session, messages };
};
