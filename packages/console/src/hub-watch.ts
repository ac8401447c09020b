import { onlineManager } from '@tanstack/react-query';

const HEARTBEAT_MS = 2_000;
const RETRY_MS = 1_000;
/** A hub that is frozen, or a network that drops packets, does not even refuse. */
const ANSWER_WITHIN_MS = 3_000;

const askHub = (): Promise<boolean> =>
  fetch('/health/live', { cache: 'no-store', signal: AbortSignal.timeout(ANSWER_WITHIN_MS) })
    // Read to its end: an answer that is left unread counts as under way.
    .then((answer) => answer.text().then(() => answer.ok))
    .catch(() => false);

let check = async (): Promise<boolean> => onlineManager.isOnline();

/** Looks at once whether the hub answers: after a request or a stream that failed. */
export const checkHub = (): Promise<boolean> => check();

/**
 * Keeps React Query's online state equal to whether the hub answers: while it does not, queries wait, writes are
 * refused, and everything is fetched anew when it does again.
 */
export const watchHub = (): void =>
  onlineManager.setEventListener((setOnline) => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    let asking: Promise<boolean> | undefined;
    const ask = async (): Promise<boolean> => {
      const reachable = await askHub();
      asking = undefined;
      setOnline(reachable);
      // Out of sight only the way back is looked for: a job that runs there waits for it.
      if (!reachable || document.visibilityState === 'visible')
        timer = setTimeout(checkHub, reachable ? HEARTBEAT_MS : RETRY_MS);
      return reachable;
    };
    check = () => {
      clearTimeout(timer);
      asking ??= ask();
      return asking;
    };
    const look = () => void check();
    const events = ['online', 'offline', 'focus'] as const;
    for (const name of events) window.addEventListener(name, look);
    document.addEventListener('visibilitychange', look);
    look();
    return () => {
      clearTimeout(timer);
      for (const name of events) window.removeEventListener(name, look);
      document.removeEventListener('visibilitychange', look);
    };
  });

const hubIsBack = (): Promise<void> =>
  new Promise((resolve) => {
    if (onlineManager.isOnline()) return resolve();
    const stop = onlineManager.subscribe((online) => {
      if (!online) return;
      stop();
      resolve();
    });
  });

/** A style sheet that failed stays in the document, and the module that wants it would not ask for it again. */
const reloadFailedStyles = (): void => {
  for (const link of document.querySelectorAll<HTMLLinkElement>('link[rel=stylesheet]'))
    if (link.sheet === null) link.replaceWith(link.cloneNode());
};

const loadOnce = async <Code>(load: () => Promise<Code>): Promise<Code> => {
  for (;;) {
    await hubIsBack();
    try {
      return await load();
    } catch (error) {
      const missing = await checkHub();
      await hubIsBack();
      reloadFailedStyles();
      // It may have come back between the two looks.
      if (missing) return load().catch(() => Promise.reject(error));
    }
  }
};

/** Loads code: while the hub is away it waits for it, so that only code that is really gone fails. */
export const loadFromHub = <Code>(load: () => Promise<Code>): (() => Promise<Code>) => {
  let loaded: { code: Code } | undefined;
  return async () => {
    loaded ??= { code: await loadOnce(load) };
    return loaded.code;
  };
};
