import { CODE_OK, deviceCodes, type Envelope } from '@device-center/contract';
import type { ClientState } from './client-state.ts';
import { DeliveryError, DeviceError, isChildError, isRetryable, isTokenError } from './device-error.ts';
import { after } from './platform.ts';

/** A message to send to the hub. */
export type QueueItem = {
  sender: ClientState;
  /** Belongs to the current connection: sent before others, and rejected when the connection closes. */
  urgent: boolean;
  /** Whether the hub's response settles the item; otherwise the PUBACK does. */
  awaitsAnswer: boolean;
  /** Composes the message; called for each attempt. */
  compose: () => Envelope;
  /** Whether an earlier attempt was sent; the message then keeps its `dataId`. */
  isRepeat: () => boolean;
  /** Makes the next attempt a new message with a new `dataId`. */
  resetIds: () => void;
  resolve: (answer: Envelope | null) => void;
  reject: (error: Error) => void;
};

/** Positions are ascending, so that a requeued item returns to its place in the order. */
type QueuedItem = QueueItem & { position: number };
type InFlight = { item: QueuedItem; envelope: Envelope; acknowledged: boolean; cancelTimeout: () => void };
export type Publish = (envelope: Envelope, acknowledged: () => void, isRepeat: boolean) => void;

/** Below the hub's limit: zone brokers accept fewer, and older hubs disconnect an MQTT 5 client that exceeds 16. */
const UNACKNOWLEDGED_MAX = 16;

type SendQueueOptions = {
  max: number;
  answerWithin: number;
  onDropped: (sender: ClientState, total: number) => void;
  onRejected: (sender: ClientState, error: DeviceError, envelope: Envelope) => void;
  onTokenRejected: (sender: ClientState) => void;
};

const RETRY_PAUSE_MS = 2_000;

/** Bounded, ordered queue of messages to the hub, with those in entry. Outlives connections. */
export const createSendQueue = (options: SendQueueOptions) => {
  const urgent: QueuedItem[] = [];
  const queue: QueuedItem[] = [];
  const inFlight = new Set<InFlight>();
  let publish: Publish | null = null;
  let unacknowledged = 0;
  let paused = false;
  let dropped = 0;
  let nextPosition = 0;
  let idleListeners: (() => void)[] = [];

  const isIdle = (): boolean => queue.length + urgent.length + inFlight.size === 0;

  const removeInFlight = (entry: InFlight): boolean => {
    entry.cancelTimeout();
    return inFlight.delete(entry);
  };

  /**
   * A response carries the `dataId` but not the session. New messages wait until those of an earlier session have
   * settled, so that two messages in entry never share a `dataId`.
   */
  const isBlocked = (item: QueuedItem): boolean => {
    if (item.isRepeat()) return false;
    const session = item.sender.session?.sessionId;
    return [...inFlight].some(
      (entry) => entry.item.sender === item.sender && !entry.item.urgent && entry.envelope.sessionId !== session,
    );
  };

  const next = (): QueuedItem | undefined => {
    if (urgent.length > 0 || paused) return urgent.shift();
    const index = queue.findIndex((item) => item.sender.ready && item.sender.session && !isBlocked(item));
    return index < 0 ? undefined : queue.splice(index, 1)[0];
  };

  const send = (currentPublish: Publish, item: QueuedItem): void => {
    const isRepeat = item.isRepeat();
    const entry: InFlight = { item, envelope: item.compose(), acknowledged: false, cancelTimeout: () => undefined };
    if (item.awaitsAnswer)
      entry.cancelTimeout = after(options.answerWithin, () => {
        if (removeInFlight(entry)) item.reject(new DeliveryError('unanswered'));
      });
    inFlight.add(entry);
    unacknowledged++;
    const acknowledged = (): void => {
      if (publish !== currentPublish) return;
      unacknowledged--;
      entry.acknowledged = true;
      if (!item.awaitsAnswer && removeInFlight(entry)) item.resolve(null);
      flush();
    };
    currentPublish(entry.envelope, acknowledged, isRepeat);
  };

  const flush = (): void => {
    while (publish && unacknowledged < UNACKNOWLEDGED_MAX) {
      const item = next();
      if (!item) break;
      if (item.sender.session) send(publish, item);
      // Only an urgent item gets here without a session, while its connection is closing.
      else item.reject(new DeliveryError('disconnected'));
    }
    if (!isIdle()) return;
    for (const listener of idleListeners) listener();
    idleListeners = [];
  };

  const requeue = (item: QueuedItem): void => {
    const index = queue.findIndex(({ position }) => position > item.position);
    queue.splice(index < 0 ? queue.length : index, 0, item);
  };

  const pause = (): void => {
    if (paused) return;
    paused = true;
    after(RETRY_PAUSE_MS * (0.5 + Math.random()), () => {
      paused = false;
      flush();
    });
  };

  const reject = ({ item }: InFlight, error: DeviceError, envelope: Envelope): void => {
    if (!item.urgent && (isTokenError(error) || isChildError(error))) {
      requeue(item);
      options.onTokenRejected(item.sender);
    } else if (!item.urgent && isRetryable(error)) {
      requeue(item);
      pause();
    } else {
      item.reject(error);
      options.onRejected(item.sender, error, envelope);
    }
  };

  /** The hub addresses NOT_YOUR_CHILD to the gateway, with the child's id at the end of the message. */
  const answers = ({ deviceId, code, message = '' }: Envelope, sent: Envelope): boolean =>
    sent.deviceId === deviceId ||
    (code === deviceCodes.NOT_YOUR_CHILD.number && message.endsWith(`: ${sent.deviceId}`));

  const findInFlight = (response: Envelope): InFlight | undefined =>
    [...inFlight].findLast(
      ({ envelope }) =>
        envelope.dataId === response.dataId && envelope.type === response.type && answers(response, envelope),
    );

  /** Requeues messages in entry at their old position. */
  const close = (): void => {
    publish = null;
    for (const entry of [...inFlight]) {
      removeInFlight(entry);
      if (entry.item.urgent) entry.item.reject(new DeliveryError('disconnected'));
      else requeue(entry.item);
      // The hub stored it but the response is lost: only a new message gets one.
      if (entry.acknowledged) entry.item.resetIds();
    }
    for (const item of urgent.splice(0)) item.reject(new DeliveryError('disconnected'));
  };

  return {
    get pending(): number {
      return queue.length + inFlight.size;
    },

    add: (item: QueueItem): void => {
      (item.urgent ? urgent : queue).push({ ...item, position: nextPosition++ });
      flush();
      while (queue.length > options.max) {
        const oldest = queue.shift();
        if (!oldest) break;
        options.onDropped(oldest.sender, ++dropped);
        oldest.reject(new DeliveryError('dropped'));
      }
    },

    flush,

    open: (newPublish: Publish): void => {
      close();
      publish = newPublish;
      unacknowledged = 0;
      flush();
    },

    close,

    /** Handles a response of the hub. Also reports an error for a message that is already acknowledged. */
    answered: (sender: ClientState, envelope: Envelope): void => {
      const entry = findInFlight(envelope);
      const error = envelope.code === CODE_OK ? null : new DeviceError(envelope.code ?? 0, envelope.message);
      if (entry) removeInFlight(entry);
      if (!error) entry?.item.resolve(envelope);
      else if (entry) reject(entry, error, envelope);
      else options.onRejected(sender, error, envelope);
      flush();
    },

    /** Rejects all messages, of one sender or of all. */
    discard: (sender?: ClientState): void => {
      const matches = (item: QueueItem): boolean => !sender || item.sender === sender;
      for (const entry of [...inFlight])
        if (matches(entry.item) && removeInFlight(entry)) entry.item.reject(new DeliveryError('stopped'));
      for (const list of [queue, urgent]) {
        const rejected = list.filter(matches);
        list.splice(0, list.length, ...list.filter((item) => !matches(item)));
        for (const item of rejected) item.reject(new DeliveryError('stopped'));
      }
    },

    whenIdle: (): Promise<void> =>
      isIdle() ? Promise.resolve() : new Promise((resolve) => void idleListeners.push(resolve)),
  };
};

export type SendQueue = ReturnType<typeof createSendQueue>;
