import { randomBytes } from 'node:crypto';
import { Client } from 'pg';
import type { Log } from '../platform/log.ts';
import { isNotificationName, type NotificationName } from '../platform/notifier.ts';

type ChannelDeps = { connectionString: string; log: Log; arrived: (name: NotificationName) => void };

const CHANNEL = 'device_center_hints';
const SEND_EVERY_MS = 50;
const BACK_OFF_FIRST_MS = 250;
const BACK_OFF_MAX_MS = 10_000;
/** A listener hears nothing of a server that has gone without a word, so it asks now and then. */
const PROBE_EVERY_MS = 20_000;
const ANSWER_WITHIN_MS = 5_000;

/**
 * Notifier between hubs on one PostgreSQL, over a connection of their own. A notification carries names alone, leaves at
 * most 20 times a second with all that gathered meanwhile, and is lost while the database is away.
 */
export const openHintChannel = ({ connectionString, log, arrived }: ChannelDeps) => {
  const me = randomBytes(6).toString('hex');
  const waiting = new Set<NotificationName>();
  let client: Client | undefined;
  let sending: NodeJS.Timeout | undefined;
  let coming: NodeJS.Timeout | undefined;
  let backOff = BACK_OFF_FIRST_MS;
  let stopped = false;

  const hear = (payload = ''): void => {
    const [from, names = ''] = payload.split(' ');
    if (from === me) return;
    for (const name of names.split(',')) if (isNotificationName(name)) arrived(name);
  };

  const comeBack = (): void => {
    if (stopped || coming) return;
    coming = setTimeout(() => {
      coming = undefined;
      void open();
    }, backOff);
    backOff = Math.min(backOff * 2, BACK_OFF_MAX_MS);
  };

  /** Once for each connection, however many ways it tells that it is gone. */
  const lose = (lost: Client, error?: unknown): void => {
    if (client !== lost) return;
    client = undefined;
    lost.end().catch(() => undefined);
    if (!stopped) log.warn({ err: error }, 'hints between hubs are lost until the database is back');
    comeBack();
  };

  const open = async (): Promise<void> => {
    const next = new Client({
      connectionString,
      application_name: 'device-center hints',
      connectionTimeoutMillis: ANSWER_WITHIN_MS,
      query_timeout: ANSWER_WITHIN_MS,
      keepAlive: true,
    });
    next.on('error', (error) => lose(next, error));
    next.on('end', () => lose(next));
    next.on('notification', ({ payload }) => hear(payload));
    try {
      await next.connect();
      await next.query(`listen ${CHANNEL}`);
    } catch {
      next.end().catch(() => undefined);
      comeBack();
      return;
    }
    if (stopped) {
      await next.end().catch(() => undefined);
      return;
    }
    client = next;
    backOff = BACK_OFF_FIRST_MS;
  };

  const ask = (text: string, values: string[] = []): void => {
    const asked = client;
    asked?.query(text, values).catch((error: unknown) => lose(asked, error));
  };

  const leave = (): void => {
    const names = [...waiting].join(',');
    waiting.clear();
    ask('select pg_notify($1, $2)', [CHANNEL, `${me} ${names}`]);
    sending = setTimeout(() => {
      sending = undefined;
      if (waiting.size > 0) leave();
    }, SEND_EVERY_MS);
  };

  const probing = setInterval(() => ask('select 1'), PROBE_EVERY_MS);
  void open();

  return {
    /** After the commit of what it hints at. */
    send(name: NotificationName): void {
      if (!client || stopped) return;
      waiting.add(name);
      if (!sending) leave();
    },
    async stop(): Promise<void> {
      stopped = true;
      clearTimeout(sending);
      clearTimeout(coming);
      clearInterval(probing);
      await client?.end().catch(() => undefined);
    },
  };
};
