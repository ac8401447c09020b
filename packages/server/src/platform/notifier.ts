/**
 * Wake-up between hub processes when rows have changed. A notification has no content and may be lost: receivers also
 * poll the rows. `instruction` covers all device instructions, and connections that moved to another hub.
 */
const notificationNames = ['command', 'answer', 'instruction', 'record', 'model', 'upgrade', 'zone', 'quota'] as const;
export type NotificationName = (typeof notificationNames)[number];
export const isNotificationName = (name: string): name is NotificationName =>
  (notificationNames as readonly string[]).includes(name);

/** The hub must work without notifications; tests run it with NOTIFICATIONS=off. */
export const areNotificationsOn = (env: Record<string, string | undefined>): boolean => env.NOTIFICATIONS !== 'off';

export type Notifier = {
  /** Call after the commit. At most 20 per second are sent; more are merged. */
  send: (name: NotificationName) => void;
  /** Waits for the next notification of that name, at most `ms`. */
  wait: (name: NotificationName, ms: number) => Promise<void>;
  on: (name: NotificationName, listener: () => void) => () => void;
};

const SEND_EVERY_MS = 50;

export const createNotifier = (post: (name: NotificationName) => unknown) => {
  const listeners = new Map<NotificationName, Set<() => void>>(notificationNames.map((name) => [name, new Set()]));
  const sentAt = new Map<NotificationName, number>();
  const scheduled = new Set<NotificationName>();

  const sendNow = (name: NotificationName): void => {
    sentAt.set(name, Date.now());
    post(name);
  };

  const on: Notifier['on'] = (name, listener) => {
    listeners.get(name)?.add(listener);
    return () => listeners.get(name)?.delete(listener);
  };

  return {
    send(name: NotificationName): void {
      if (scheduled.has(name)) return;
      const delay = (sentAt.get(name) ?? 0) + SEND_EVERY_MS - Date.now();
      if (delay <= 0) {
        sendNow(name);
        return;
      }
      scheduled.add(name);
      setTimeout(() => {
        scheduled.delete(name);
        sendNow(name);
      }, delay);
    },
    wait: (name: NotificationName, ms: number): Promise<void> =>
      new Promise((resolve) => {
        const done = (): void => {
          clearTimeout(timer);
          stop();
          resolve();
        };
        const timer = setTimeout(done, ms);
        const stop = on(name, done);
      }),
    on,
    /** Called for a notification from another process, of this hub or another. */
    deliver(name: NotificationName): void {
      for (const listener of [...(listeners.get(name) ?? [])]) listener();
    },
  };
};
