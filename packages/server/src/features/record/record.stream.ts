import {
  type FleetCounts,
  type Input,
  mayUse,
  type RecordKind,
  recordCalls,
  recordKinds,
  type UpgradeNews,
} from '@device-center/contract';
import type { Db, RecordDb } from '../../db/connect.ts';
import { type DeviceRecord, findDevice } from '../../db/devices.ts';
import { scopeSeen } from '../../db/scope.ts';
import type { EventStream } from '../../http/event-stream.ts';
import { permit } from '../../http/permit.ts';
import type { Actor, Context } from '../../platform/actor.ts';
import { AppError } from '../../platform/app-error.ts';
import { firstNumberAt } from '../../platform/ids.ts';
import type { Notifier } from '../../platform/notifier.ts';
import { createFeed, type Feed } from './stream.feed.ts';
import { createSources } from './stream.sources.ts';

type Asked = Input<typeof recordCalls.streamDevices>;
type Watched = Pick<DeviceRecord, 'device_id' | 'registration_no' | 'tenancy_id'>;
type Deps = {
  db: Db;
  records: RecordDb;
  hints: Pick<Notifier, 'on'>;
  authenticateAgain: (token: string) => Promise<Actor | null>;
  fleetCounts: (actor: Actor, asked: Pick<Asked, 'timezone' | 'tenancyId'>) => Promise<FleetCounts>;
  upgradeNews: (actor: Actor, tenancyId: string | undefined) => Promise<UpgradeNews>;
};

const STREAMS_A_USER = 20;
const LOOK_EVERY_MS = 500;
/** However many hints come. */
const LOOK_AT_MOST_EVERY_MS = 100;
const PING_EVERY_MS = 15_000;
const RETRY_MS = 2_000;
const COUNT_EVERY_MS = 1_000;
/** How long a stream may outlive the right to it. */
const CHECK_EVERY_MS = 1_000;

const CURSOR = /^\d{1,16}(?:\.\d{1,16})*$/;

/** The last number of each kind, in the order of the contract; without a cursor that makes sense it begins at `start`. */
const readCursor = (cursor: string | undefined, start: number): number[] => {
  const numbers = cursor && CURSOR.test(cursor) ? cursor.split('.').map(Number) : [];
  const now = firstNumberAt(Date.now());
  // Nobody has seen what is yet to come.
  return recordKinds.map((_kind, place) => Math.min(numbers[place] ?? start, now));
};

const pause = (hints: Deps['hints'], left: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    const began = Date.now();
    let timer: NodeJS.Timeout;
    const done = (): void => {
      clearTimeout(timer);
      stop();
      left.removeEventListener('abort', done);
      resolve();
    };
    const soon = (): void => {
      clearTimeout(timer);
      timer = setTimeout(done, Math.max(0, began + LOOK_AT_MOST_EVERY_MS - Date.now()));
    };
    const stop = hints.on('record', soon);
    timer = setTimeout(done, LOOK_EVERY_MS);
    left.addEventListener('abort', done);
    if (left.aborted) done();
  });

/** Live: rows after a cursor, so that a browser that comes back misses nothing. */
export const createRecordStream = ({ db, records, hints, authenticateAgain, fleetCounts, upgradeNews }: Deps) => {
  const open = new Map<string, number>();

  const admit = (userId: string, left: AbortSignal): void => {
    const streams = open.get(userId) ?? 0;
    if (streams >= STREAMS_A_USER) throw new AppError('TOO_MANY_REQUESTS');
    open.set(userId, streams + 1);
    left.addEventListener('abort', () => {
      const rest = (open.get(userId) ?? 1) - 1;
      if (rest === 0) open.delete(userId);
      else open.set(userId, rest);
    });
  };

  /** The device that is watched, if it is one. */
  const requireRights = async (actor: Actor, asked: Asked): Promise<Watched | undefined> => {
    let watched: Watched | undefined;
    if (asked.deviceId) {
      // The home page watches a fleet; what one device says is for those who may see devices.
      if (!mayUse('device:list', actor.menus)) throw new AppError('FORBIDDEN');
      watched = await findDevice(db, actor, asked.deviceId);
    }
    if (asked.kinds.includes('upgrade') && !mayUse('ota:records', actor.menus)) throw new AppError('FORBIDDEN');
    return watched;
  };

  /** Whether the one who opened it could open it now: by session or key, tenant, role and device. */
  const isStillAllowed = async ({ token }: Context, asked: Asked): Promise<boolean> => {
    try {
      const actor = await authenticateAgain(token);
      permit(recordCalls.streamDevices, actor);
      if (actor) await requireRights(actor, asked);
      return actor !== null;
    } catch (error) {
      if (error instanceof AppError) return false;
      throw error;
    }
  };

  /** An id may be registered again after its device was deleted, by another tenant too: that is another device. */
  const isStillThere = async ({ device_id, registration_no, tenancy_id }: Watched): Promise<boolean> => {
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
    asked: Asked,
    watched: Watched | undefined,
    left: AbortSignal,
  ): AsyncGenerator<string> {
    const { actor } = context;
    const deviceId = asked.deviceId ?? null;
    const sources = createSources(db, records, { scope: scopeSeen(actor, asked.tenancyId), deviceId });
    const start = asked.latest > 0 ? await sources.startOfLatest(asked.latest) : firstNumberAt(Date.now());
    const starts = readCursor(asked.cursor, start);
    const feeds = new Map<RecordKind, Feed>(
      recordKinds.map((kind, place) => [kind, createFeed(sources.read[kind], starts[place] ?? 0)]),
    );
    const kinds = recordKinds.filter(
      (kind) => asked.kinds.includes(kind) && (deviceId !== null || kind === 'presence' || kind === 'event'),
    );
    const cursor = (): string => [...feeds.values()].map((feed) => feed.cursor()).join('.');
    const event = (name: string, data: object): string =>
      `event: ${name}\nid: ${cursor()}\ndata: ${JSON.stringify(data)}\n\n`;

    const turn = async (kind: RecordKind): Promise<string[]> => {
      const feed = feeds.get(kind);
      if (!feed) return [];
      // What came while the switch was off is not pushed later either.
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
    async function* countTurn(): AsyncGenerator<string> {
      if (!asked.kinds.includes('count') || Date.now() - counted.at < COUNT_EVERY_MS) return;
      const counts = await fleetCounts(actor, asked);
      const text = JSON.stringify(counts);
      const isNews = text !== counted.text;
      counted = { at: Date.now(), text };
      if (isNews) yield event('count', counts);
    }

    const upgrades = { at: 0, known: new Map<string, string>() };
    async function* upgradeTurn(): AsyncGenerator<string> {
      if (!asked.kinds.includes('upgrade') || Date.now() - upgrades.at < COUNT_EVERY_MS) return;
      const tasks = (await upgradeNews(actor, asked.tenancyId)).map((task) => ({ task, text: JSON.stringify(task) }));
      const news = tasks.filter(({ task, text }) => upgrades.known.get(task.taskId) !== text);
      upgrades.at = Date.now();
      upgrades.known = new Map(tasks.map(({ task, text }) => [task.taskId, text]));
      if (news.length > 0)
        yield event(
          'upgrade',
          news.map(({ task }) => task),
        );
    }

    yield `retry: ${RETRY_MS}\nid: ${cursor()}\n\n`;
    let pinged = Date.now();
    let checked = Date.now();
    while (!left.aborted) {
      if (Date.now() - checked >= CHECK_EVERY_MS) {
        if (!(await isStillAllowed(context, asked))) return;
        checked = Date.now();
      }
      const news: string[] = [];
      for (const kind of kinds) news.push(...(await turn(kind)));
      // Asked after reading, so that what was read is of the device that the stream was opened for.
      if (watched && !(await isStillThere(watched))) return;
      yield* news;
      yield* countTurn();
      yield* upgradeTurn();
      if (Date.now() - pinged >= PING_EVERY_MS) {
        pinged = Date.now();
        yield ': ping\n\n';
      }
      await pause(hints, left);
    }
  }

  return {
    async streamDevices(context: Context, asked: Asked, left: AbortSignal): Promise<EventStream> {
      const { actor } = context;
      const watched = await requireRights(actor, asked);
      admit(actor.userId, left);
      return eventsOf(context, asked, watched, left);
    },
  };
};
