import {
  type FleetCounts,
  type Input,
  mayUse,
  type RecordKind,
  recordCalls,
  recordKinds,
  type TaskUpdates,
} from '@device-center/contract';
import type { Db, RecordDb } from '../../db/connect.ts';
import { listScope } from '../../db/scope.ts';
import { type DeviceRecord, findDevice } from '../../domain/device/devices.ts';
import type { EventStream } from '../../http/event-stream.ts';
import { permit } from '../../http/permit.ts';
import type { Actor, Context } from '../../platform/actor.ts';
import { AppError } from '../../platform/app-error.ts';
import { firstSequenceIdAt } from '../../platform/ids.ts';
import type { Notifier } from '../../platform/notifier.ts';
import { createFeed, type Feed } from './stream.feed.ts';
import { createSources } from './stream.sources.ts';

type StreamQuery = Input<typeof recordCalls.streamDevices>;
type Watched = Pick<DeviceRecord, 'device_id' | 'registration_no' | 'tenancy_id'>;
type Deps = {
  db: Db;
  records: RecordDb;
  notifier: Pick<Notifier, 'on'>;
  authenticateAgain: (token: string) => Promise<Actor | null>;
  fleetCounts: (actor: Actor, query: Pick<StreamQuery, 'timezone' | 'tenancyId'>) => Promise<FleetCounts>;
  upgradeNews: (actor: Actor, tenancyId: string | undefined) => Promise<TaskUpdates>;
};

const STREAMS_PER_USER = 20;
const POLL_INTERVAL_MS = 500;
/** Minimum poll interval, however many notifications arrive. */
const POLL_INTERVAL_MIN_MS = 100;
const PING_INTERVAL_MS = 15_000;
const RETRY_MS = 2_000;
const COUNT_INTERVAL_MS = 1_000;
/** Interval of permission checks on open streams. */
const CHECK_INTERVAL_MS = 1_000;

const CURSOR = /^\d{1,16}(?:\.\d{1,16})*$/;

/** The last sequence number of each kind, in contract order. Without a valid cursor the stream begins at `start`. */
const readCursor = (cursor: string | undefined, start: number): number[] => {
  const numbers = cursor && CURSOR.test(cursor) ? cursor.split('.').map(Number) : [];
  const now = firstSequenceIdAt(Date.now());
  // A number in the future would skip records.
  return recordKinds.map((_kind, index) => Math.min(numbers[index] ?? start, now));
};

const waitForRecords = (notifier: Deps['notifier'], closed: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    const startedAt = Date.now();
    let timer: NodeJS.Timeout;
    const done = (): void => {
      clearTimeout(timer);
      stop();
      closed.removeEventListener('abort', done);
      resolve();
    };
    const soon = (): void => {
      clearTimeout(timer);
      timer = setTimeout(done, Math.max(0, startedAt + POLL_INTERVAL_MIN_MS - Date.now()));
    };
    const stop = notifier.on('record', soon);
    timer = setTimeout(done, POLL_INTERVAL_MS);
    closed.addEventListener('abort', done);
    if (closed.aborted) done();
  });

/** Live streams: rows after a cursor, so that a reconnecting browser misses nothing. */
export const createRecordStream = ({ db, records, notifier, authenticateAgain, fleetCounts, upgradeNews }: Deps) => {
  const open = new Map<string, number>();

  const countStream = (userId: string, closed: AbortSignal): void => {
    const streams = open.get(userId) ?? 0;
    if (streams >= STREAMS_PER_USER) throw new AppError('TOO_MANY_REQUESTS');
    open.set(userId, streams + 1);
    closed.addEventListener('abort', () => {
      const remaining = (open.get(userId) ?? 1) - 1;
      if (remaining === 0) open.delete(userId);
      else open.set(userId, remaining);
    });
  };

  /** Checks permissions and returns the watched device, if the stream is for a single one. */
  const requireRights = async (actor: Actor, query: StreamQuery): Promise<Watched | undefined> => {
    let watched: Watched | undefined;
    if (query.deviceId) {
      // The home page streams the whole fleet; the messages of a single device require the device list permission.
      if (!mayUse('device:list', actor.menus)) throw new AppError('FORBIDDEN');
      watched = await findDevice(db, actor, query.deviceId);
    }
    if (query.kinds.includes('upgrade') && !mayUse('ota:records', actor.menus)) throw new AppError('FORBIDDEN');
    return watched;
  };

  /** Whether the caller could open this stream now: checks session or key, tenant, role and device. */
  const isStillAllowed = async ({ token }: Context, query: StreamQuery): Promise<boolean> => {
    try {
      const actor = await authenticateAgain(token);
      permit(recordCalls.streamDevices, actor);
      if (actor) await requireRights(actor, query);
      return actor !== null;
    } catch (error) {
      if (error instanceof AppError) return false;
      throw error;
    }
  };

  /** A device registered again under the same ID, possibly by another tenant, is another device. */
  const isSameDevice = async ({ device_id, registration_no, tenancy_id }: Watched): Promise<boolean> => {
    const row = await db
      .selectFrom('device')
      .select('device_id')
      .where('device_id', '=', device_id)
      .where('registration_no', '=', registration_no)
      .where('tenancy_id', '=', tenancy_id)
      .executeTakeFirst();
    return row !== undefined;
  };

  const pushesLogs = async (deviceId: string): Promise<boolean> => {
    const row = await db
      .selectFrom('device')
      .select('real_time_push')
      .where('device_id', '=', deviceId)
      .executeTakeFirst();
    return row?.real_time_push === 1;
  };

  async function* eventsOf(
    context: Context,
    query: StreamQuery,
    watched: Watched | undefined,
    closed: AbortSignal,
  ): AsyncGenerator<string> {
    const { actor } = context;
    const deviceId = query.deviceId ?? null;
    const sources = createSources(db, records, { scope: listScope(actor, query.tenancyId), deviceId });
    const start = query.latest > 0 ? await sources.startOfLatest(query.latest) : firstSequenceIdAt(Date.now());
    const starts = readCursor(query.cursor, start);
    const feeds = new Map<RecordKind, Feed>(
      recordKinds.map((kind, index) => [kind, createFeed(sources.read[kind], starts[index] ?? 0)]),
    );
    const kinds = recordKinds.filter(
      (kind) => query.kinds.includes(kind) && (deviceId !== null || kind === 'presence' || kind === 'event'),
    );
    const cursor = (): string => [...feeds.values()].map((feed) => feed.cursor()).join('.');
    const event = (name: string, data: object): string =>
      `event: ${name}\nid: ${cursor()}\ndata: ${JSON.stringify(data)}\n\n`;

    const pollKind = async (kind: RecordKind): Promise<string[]> => {
      const feed = feeds.get(kind);
      if (!feed) return [];
      // Logs received while the push switch is off are not pushed later either.
      if (kind === 'log' && !(await pushesLogs(deviceId ?? ''))) {
        feed.skip();
        return [];
      }
      const entries = await feed.next();
      if (entries === null) return [event('gap', { kind })];
      return entries.map((entry) => {
        feed.seen(entry);
        return event(kind, entry.data);
      });
    };

    let counted = { at: 0, text: '' };
    async function* countEvents(): AsyncGenerator<string> {
      if (!query.kinds.includes('count') || Date.now() - counted.at < COUNT_INTERVAL_MS) return;
      const counts = await fleetCounts(actor, query);
      const text = JSON.stringify(counts);
      const isChanged = text !== counted.text;
      counted = { at: Date.now(), text };
      if (isChanged) yield event('count', counts);
    }

    const upgrades = { at: 0, known: new Map<string, string>() };
    async function* upgradeEvents(): AsyncGenerator<string> {
      if (!query.kinds.includes('upgrade') || Date.now() - upgrades.at < COUNT_INTERVAL_MS) return;
      const tasks = (await upgradeNews(actor, query.tenancyId)).map((task) => ({ task, text: JSON.stringify(task) }));
      const events = tasks.filter(({ task, text }) => upgrades.known.get(task.taskId) !== text);
      upgrades.at = Date.now();
      upgrades.known = new Map(tasks.map(({ task, text }) => [task.taskId, text]));
      if (events.length > 0)
        yield event(
          'upgrade',
          events.map(({ task }) => task),
        );
    }

    yield `retry: ${RETRY_MS}\nid: ${cursor()}\n\n`;
    let lastPingAt = Date.now();
    let lastCheckAt = Date.now();
    while (!closed.aborted) {
      if (Date.now() - lastCheckAt >= CHECK_INTERVAL_MS) {
        if (!(await isStillAllowed(context, query))) return;
        lastCheckAt = Date.now();
      }
      const events: string[] = [];
      for (const kind of kinds) events.push(...(await pollKind(kind)));
      // Checked after reading, so that the records belong to the device that the stream was opened for.
      if (watched && !(await isSameDevice(watched))) return;
      yield* events;
      yield* countEvents();
      yield* upgradeEvents();
      if (Date.now() - lastPingAt >= PING_INTERVAL_MS) {
        lastPingAt = Date.now();
        yield ': ping\n\n';
      }
      await waitForRecords(notifier, closed);
    }
  }

  return {
    async streamDevices(context: Context, query: StreamQuery, closed: AbortSignal): Promise<EventStream> {
      const { actor } = context;
      const watched = await requireRights(actor, query);
      countStream(actor.userId, closed);
      return eventsOf(context, query, watched, closed);
    },
  };
};
