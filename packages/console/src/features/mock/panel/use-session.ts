import type { MockDetails, MockProfile } from '@device-center/contract';
import { useEffect, useState } from 'react';
import { createMessageStore } from './message-store.ts';
import { createPanelSession, type PanelSession } from './panel-session.ts';

const profileOf = ({ deviceId, deviceName, deviceSecret, signMethod, functions }: MockProfile) => ({
  deviceId,
  deviceName,
  deviceSecret,
  signMethod,
  functions,
});

/** Key of the attributes that a mock cannot change after its creation. */
const mockKeyOf = (details: MockDetails): string => JSON.stringify([details, ...details.children].map(profileOf));

/** Runs the session while `wanted` and the page is open; also restarts it if the page is restored from the cache. */
const useRunning = (session: PanelSession, wanted: boolean): void => {
  useEffect(() => {
    if (!wanted) return;
    const restart = ({ persisted }: PageTransitionEvent): void => {
      if (persisted) session.start();
    };
    session.start();
    window.addEventListener('pagehide', session.stop);
    window.addEventListener('pageshow', restart);
    return () => {
      window.removeEventListener('pagehide', session.stop);
      window.removeEventListener('pageshow', restart);
      session.stop();
    };
  }, [session, wanted]);
};

/** The session of a device while its page is open. The messages are kept when the mock is replaced. */
export const useSession = (details: MockDetails, wanted: boolean) => {
  const [messages] = useState(createMessageStore);
  const mockKey = mockKeyOf(details);
  const [current, setCurrent] = useState(() => ({
    mockKey,
    session: createPanelSession({ details, onMessage: messages.add }),
  }));
  useRunning(current.session, wanted);
  if (current.mockKey !== mockKey) {
    const before = current.session.mock;
    setCurrent({ mockKey, session: createPanelSession({ details, onMessage: messages.add, before }) });
  }
  return { session: current.session, messages };
};
