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

/** All that a mock is made of and cannot change afterwards. */
const makeOf = (details: MockDetails): string => JSON.stringify([details, ...details.children].map(bodyOf));

/** Online as long as it is wanted and the page is there; a page that the browser brings back goes on. */
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

/** The session of one device for the life of its page; the messages outlive a mock that is made anew. */
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
