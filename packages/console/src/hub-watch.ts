import { onlineManager } from '@tanstack/react-query';

const HEARTBEAT_MS = 2_000;
const RETRY_MS = 1_000;
/** A frozen hub or a network that drops packets never refuses the connection, so the request needs its own timeout. */
const RESPONSE_TIMEOUT_MS = 3_000;

const pingHub = (): Promise<boolean> =>
  fetch('/health/live', { cache: 'no-store', signal: AbortSignal.timeout(RESPONSE_TIMEOUT_MS) })
    // Read the body to its end: an unread response keeps the connection busy.
    .then((answer) => answer.text().then(() => answer.ok))
    .catch(() => false);

let check = async (): Promise<boolean> => onlineManager.isOnline();

/** Checks the hub immediately. Called after a failed request or stream. */
export const checkHub = (): Promise<boolean> => check();

/**
 * Sets React Query's online state to whether the hub responds. While it does not, queries are paused and mutations
 * fail; when it responds again, all active queries are refetched.
 */
export const watchHub = (): void =>
  onlineManager.setEventListener((setOnline) => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    let pending: Promise<boolean> | undefined;
    const poll = async (): Promise<boolean> => {
      const reachable = await pingHub();
      pending = undefined;
      setOnline(reachable);
      // A hidden tab polls only while the hub is unreachable, because a job that runs there may wait for it.
      if (!reachable || document.visibilityState === 'visible')
        timer = setTimeout(checkHub, reachable ? HEARTBEAT_MS : RETRY_MS);
      return reachable;
    };
    check = () => {
      clearTimeout(timer);
      pending ??= poll();
      return pending;
    };
    const checkNow = () => void check();
    const events = ['online', 'offline', 'focus'] as const;
    for (const name of events) window.addEventListener(name, checkNow);
    document.addEventListener('visibilitychange', checkNow);
    checkNow();
    return () => {
      clearTimeout(timer);
      for (const name of events) window.removeEventListener(name, checkNow);
      document.removeEventListener('visibilitychange', checkNow);
    };
  });

const waitForHub = (): Promise<void> =>
  new Promise((resolve) => {
    if (onlineManager.isOnline()) return resolve();
    const stop = onlineManager.subscribe((online) => {
      if (!online) return;
      stop();
      resolve();
    });
  });

/** A style sheet that failed to load stays in the document, and the importing module would not request it again. */
const reloadFailedStyles = (): void => {
  for (const link of document.querySelectorAll<HTMLLinkElement>('link[rel=stylesheet]'))
    if (link.sheet === null) link.replaceWith(link.cloneNode());
};

const loadOnce = async <Code>(load: () => Promise<Code>): Promise<Code> => {
  for (;;) {
    await waitForHub();
    try {
      return await load();
    } catch (error) {
      const missing = await checkHub();
      await waitForHub();
      reloadFailedStyles();
      // The hub may have become reachable between the two checks, so try once more.
      if (missing) return load().catch(() => Promise.reject(error));
    }
  }
};

/** Loads a code chunk. Waits while the hub is unreachable, so that only a chunk that no longer exists fails. */
export const loadFromHub = <Code>(load: () => Promise<Code>): (() => Promise<Code>) => {
  let loaded: { code: Code } | undefined;
  return async () => {
    loaded ??= { code: await loadOnce(load) };
    return loaded.code;
  };
};
