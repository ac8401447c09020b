/**
 * A nudge between the sides of hubs that rows are waiting. Notifier carry no contents and may be lost: whoever waits for
 * one looks at the rows anyway after a while. `cut` stands for every order to devices, and for connections that have
 * moved to another hub.
 */
const hintNames = ['command', 'answer', 'cut', 'record', 'model', 'upgrade', 'zone', 'quota'] as const;
export type NotificationName = (typeof hintNames)[number];
export const isNotificationName = (name: string): name is NotificationName =>
  (hintNames as readonly string[]).includes(name);

/** Everything must work without any, and NOTIFICATIONS=off is how tests see that it does. */
export const areNotificationsOn = (env: Record<string, string | undefined>): boolean => env.NOTIFICATIONS !== 'off';

export type Notifier = {
  /** After the commit. At most 20 a second leave, more are one. */
  send: (name: NotificationName) => void;
  /** Until the next hint of that name, or so many milliseconds. */
  wait: (name: NotificationName, ms: number) => Promise<void>;
  on: (name: NotificationName, listener: () => void) => () => void;
};

const SEND_EVERY_MS = 50;

export const createNotifier = (post: (name: NotificationName) => unknown) => {
  const listeners = new Map<NotificationName, Set<() => void>>(hintNames.map((name) => [name, new Set()]));
  const sentAt = new Map<NotificationName, number>();
  const scheduled = new Set<NotificationName>();

  const leave = (name: NotificationName): void => {
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
      const rest = (sentAt.get(name) ?? 0) + SEND_EVERY_MS - Date.now();
      if (rest <= 0) {
        leave(name);
        return;
      }
      scheduled.add(name);
      setTimeout(() => {
        scheduled.delete(name);
        leave(name);
      }, rest);
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
    /** One has arrived from another side, of this hub or of another. */
    arrived(name: NotificationName): void {
      for (const listener of [...(listeners.get(name) ?? [])]) listener();
    },
  };
};
