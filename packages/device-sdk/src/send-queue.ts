import { CODE_OK, deviceCodes, type Envelope } from '@device-center/contract';
import type { Unit } from './client-state.ts';
import { DeliveryError, DeviceError, isChildRefusal, isRetryable, isTokenRefusal } from './device-error.ts';
import { after } from './runtime.ts';

/** Something that is to reach the hub. */
export type Item = {
  unit: Unit;
  /** Part of the conversation of this very connection: goes first, and is given up with it. */
  urgent: boolean;
  /** Settled by the hub's answer; others by the PUBACK. */
  awaitsAnswer: boolean;
  /** Once for each sending. */
  compose: () => Envelope;
  /** Whether it has been sent before, and keeps its number. */
  isRepeat: () => boolean;
  /** The next sending is a new message. */
  renew: () => void;
  resolve: (answer: Envelope | null) => void;
  reject: (error: Error) => void;
};

/** Numbered as they came: what goes back takes its old place. */
type Placed = Item & { place: number };
type Flight = { item: Placed; envelope: Envelope; acknowledged: boolean; stopClock: () => void };
export type Publish = (envelope: Envelope, acknowledged: () => void, isRepeat: boolean) => void;

/** Less than the hub takes: brokers of zones take fewer, and hubs of before cut an MQTT 5 client beyond 16. */
const UNACKNOWLEDGED_MAX = 16;

type OutboxOptions = {
  max: number;
  answerWithin: number;
  onDropped: (unit: Unit, total: number) => void;
  onRefused: (unit: Unit, refusal: DeviceError, envelope: Envelope) => void;
  onTokenRefused: (unit: Unit) => void;
};

const PAUSE_MS = 2_000;

/** What waits for the hub, in order and bounded, and what is under way to it. Outlives connections. */
export const createOutbox = (options: OutboxOptions) => {
  const urgent: Placed[] = [];
  const queue: Placed[] = [];
  const flights = new Set<Flight>();
  let publish: Publish | null = null;
  let unacknowledged = 0;
  let paused = false;
  let dropped = 0;
  let places = 0;
  let idleListeners: (() => void)[] = [];

  const isIdle = (): boolean => queue.length + urgent.length + flights.size === 0;

  const land = (flight: Flight): boolean => {
    flight.stopClock();
    return flights.delete(flight);
  };

  /** Answers name the number and not the session: until those of an earlier one are through, no number comes twice. */
  const isBarred = (item: Placed): boolean => {
    if (item.isRepeat()) return false;
    const session = item.unit.session?.sessionId;
    return [...flights].some(
      (flight) => flight.item.unit === item.unit && !flight.item.urgent && flight.envelope.sessionId !== session,
    );
  };

  const next = (): Placed | undefined => {
    if (urgent.length > 0 || paused) return urgent.shift();
    const index = queue.findIndex((item) => item.unit.ready && item.unit.session && !isBarred(item));
    return index < 0 ? undefined : queue.splice(index, 1)[0];
  };

  const send = (through: Publish, item: Placed): void => {
    const isRepeat = item.isRepeat();
    const flight: Flight = { item, envelope: item.compose(), acknowledged: false, stopClock: () => undefined };
    if (item.awaitsAnswer)
      flight.stopClock = after(options.answerWithin, () => {
        if (land(flight)) item.reject(new DeliveryError('unanswered'));
      });
    flights.add(flight);
    unacknowledged++;
    const acknowledged = (): void => {
      if (publish !== through) return;
      unacknowledged--;
      flight.acknowledged = true;
      if (!item.awaitsAnswer && land(flight)) item.resolve(null);
      pump();
    };
    through(flight.envelope, acknowledged, isRepeat);
  };

  const pump = (): void => {
    while (publish && unacknowledged < UNACKNOWLEDGED_MAX) {
      const item = next();
      if (!item) break;
      if (item.unit.session) send(publish, item);
      // Only what is urgent gets here without one, and its connection is about to go.
      else item.reject(new DeliveryError('disconnected'));
    }
    if (!isIdle()) return;
    for (const listener of idleListeners) listener();
    idleListeners = [];
  };

  const putBack = (item: Placed): void => {
    const index = queue.findIndex(({ place }) => place > item.place);
    queue.splice(index < 0 ? queue.length : index, 0, item);
  };

  const pause = (): void => {
    if (paused) return;
    paused = true;
    after(PAUSE_MS * (0.5 + Math.random()), () => {
      paused = false;
      pump();
    });
  };

  const refuse = ({ item }: Flight, refusal: DeviceError, envelope: Envelope): void => {
    if (!item.urgent && (isTokenRefusal(refusal) || isChildRefusal(refusal))) {
      putBack(item);
      options.onTokenRefused(item.unit);
    } else if (!item.urgent && isRetryable(refusal)) {
      putBack(item);
      pause();
    } else {
      item.reject(refusal);
      options.onRefused(item.unit, refusal, envelope);
    }
  };

  /** Of a child that is none to the hub, the hub speaks to the gateway, and names the child at the end. */
  const isAbout = ({ deviceId, code, message = '' }: Envelope, spoken: Envelope): boolean =>
    spoken.deviceId === deviceId ||
    (code === deviceCodes.NOT_YOUR_CHILD.number && message.endsWith(`: ${spoken.deviceId}`));

  const flightOf = (answer: Envelope): Flight | undefined =>
    [...flights].findLast(
      ({ envelope }) => envelope.dataId === answer.dataId && envelope.type === answer.type && isAbout(answer, envelope),
    );

  /** What was under way goes back to its place. */
  const close = (): void => {
    publish = null;
    for (const flight of [...flights]) {
      land(flight);
      if (flight.item.urgent) flight.item.reject(new DeliveryError('disconnected'));
      else putBack(flight.item);
      // Stored, but its answer is lost: only a new message gets another.
      if (flight.acknowledged) flight.item.renew();
    }
    for (const item of urgent.splice(0)) item.reject(new DeliveryError('disconnected'));
  };

  return {
    get pending(): number {
      return queue.length + flights.size;
    },

    add: (item: Item): void => {
      (item.urgent ? urgent : queue).push({ ...item, place: places++ });
      pump();
      while (queue.length > options.max) {
        const oldest = queue.shift();
        if (!oldest) break;
        options.onDropped(oldest.unit, ++dropped);
        oldest.reject(new DeliveryError('dropped'));
      }
    },

    pump,

    open: (through: Publish): void => {
      close();
      publish = through;
      unacknowledged = 0;
      pump();
    },

    close,

    /** A response of the hub. A late no, to what was acknowledged already, is told all the same. */
    answered: (unit: Unit, envelope: Envelope): void => {
      const flight = flightOf(envelope);
      const refusal = envelope.code === CODE_OK ? null : new DeviceError(envelope.code ?? 0, envelope.message);
      if (flight) land(flight);
      if (!refusal) flight?.item.resolve(envelope);
      else if (flight) refuse(flight, refusal, envelope);
      else options.onRefused(unit, refusal, envelope);
      pump();
    },

    /** Gives up what waits, of one unit or of all. */
    discard: (unit?: Unit): void => {
      const gone = (item: Item): boolean => !unit || item.unit === unit;
      for (const flight of [...flights])
        if (gone(flight.item) && land(flight)) flight.item.reject(new DeliveryError('stopped'));
      for (const list of [queue, urgent]) {
        const rejected = list.filter(gone);
        list.splice(0, list.length, ...list.filter((item) => !gone(item)));
        for (const item of rejected) item.reject(new DeliveryError('stopped'));
      }
    },

    whenIdle: (): Promise<void> =>
      isIdle() ? Promise.resolve() : new Promise((resolve) => void idleListeners.push(resolve)),
  };
};

export type SendQueue = ReturnType<typeof createOutbox>;
