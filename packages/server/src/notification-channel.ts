import { randomBytes } from 'node:crypto';
import { Client } from 'pg';
import type { Log } from './platform/log.ts';
import { isNotificationName, type NotificationName } from './platform/notifier.ts';

type ChannelDeps = { connectionString: string; log: Log; onNotification: (name: NotificationName) => void };

const CHANNEL = 'device_center_hints';
const SEND_EVERY_MS = 50;
const BACKOFF_INITIAL_MS = 250;
const BACKOFF_MAX_MS = 10_000;
/** A listener does not notice a vanished server, so it queries it periodically. */
const PROBE_EVERY_MS = 20_000;
const RESPONSE_TIMEOUT_MS = 5_000;

/**
 * Notifications between hubs on one PostgreSQL (LISTEN/NOTIFY), over a separate connection. A notification carries
 * names only, is sent at most 20 times a second with all names since the last, and is lost while the database is
 * unavailable.
 */
export const openNotificationChannel = ({ connectionString, log, onNotification }: ChannelDeps) => {
  const me = randomBytes(6).toString('hex');
  const pendingNames = new Set<NotificationName>();
  let client: Client | undefined;
  let flushTimer: NodeJS.Timeout | undefined;
  let reconnectTimer: NodeJS.Timeout | undefined;
  let backoff = BACKOFF_INITIAL_MS;
  let stopped = false;

  const receive = (payload = ''): void => {
    const [from, names = ''] = payload.split(' ');
    if (from === me) return;
    for (const name of names.split(',')) if (isNotificationName(name)) onNotification(name);
  };

  const scheduleReconnect = (): void => {
    if (stopped || reconnectTimer) return;
    reconnectTimer = setTimeout(() => {
      reconnectTimer = undefined;
      void open();
    }, backoff);
    backoff = Math.min(backoff * 2, BACKOFF_MAX_MS);
  };

  /** A lost connection may emit several events: only the first counts. */
  const handleLoss = (lost: Client, error?: unknown): void => {
    if (client !== lost) return;
    client = undefined;
    lost.end().catch(() => undefined);
    if (!stopped) log.warn({ err: error }, 'notification channel lost, reconnecting');
    scheduleReconnect();
  };

  const open = async (): Promise<void> => {
    const next = new Client({
      connectionString,
      application_name: 'device-center notifications',
      connectionTimeoutMillis: RESPONSE_TIMEOUT_MS,
      query_timeout: RESPONSE_TIMEOUT_MS,
      keepAlive: true,
    });
    next.on('error', (error) => handleLoss(next, error));
    next.on('end', () => handleLoss(next));
    next.on('notification', ({ payload }) => receive(payload));
    try {
      await next.connect();
      await next.query(`listen ${CHANNEL}`);
    } catch {
      next.end().catch(() => undefined);
      scheduleReconnect();
      return;
    }
    if (stopped) {
      await next.end().catch(() => undefined);
      return;
    }
    client = next;
    backoff = BACKOFF_INITIAL_MS;
  };

  const runQuery = (text: string, values: string[] = []): void => {
    const current = client;
    current?.query(text, values).catch((error: unknown) => handleLoss(current, error));
  };

  const flush = (): void => {
    const names = [...pendingNames].join(',');
    pendingNames.clear();
    runQuery('select pg_notify($1, $2)', [CHANNEL, `${me} ${names}`]);
    flushTimer = setTimeout(() => {
      flushTimer = undefined;
      if (pendingNames.size > 0) flush();
    }, SEND_EVERY_MS);
  };

  const probeTimer = setInterval(() => runQuery('select 1'), PROBE_EVERY_MS);
  void open();

  return {
    /** Call after the commit. */
    send(name: NotificationName): void {
      if (!client || stopped) return;
      pendingNames.add(name);
      if (!flushTimer) flush();
    },
    async stop(): Promise<void> {
      stopped = true;
      clearTimeout(flushTimer);
      clearTimeout(reconnectTimer);
      clearInterval(probeTimer);
      await client?.end().catch(() => undefined);
    },
  };
};
