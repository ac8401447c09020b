import { type Envelope, Flow, MessageType } from '@device-center/contract';
import { defaultBackoff } from './backoff.ts';
import { createChildren } from './children.ts';
import { createUnit, type Unit } from './client-state.ts';
import { type ClientRuntime, createClientRuntime, extended } from './device-client.ts';
import { createEmitter } from './emitter.ts';
import { isSignedBy, readEnvelope } from './envelope.ts';
import { createHubHttp } from './hub-http.ts';
import { createLifecycle } from './lifecycle.ts';
import type { Ending, Link } from './mqtt-connection.ts';
import { after } from './runtime.ts';
import { createOutbox } from './send-queue.ts';
import { createSteps, FIRST_DATA_ID } from './steps.ts';
import type { Device, DeviceEvents, DeviceOptions, DeviceSession } from './types.ts';

const QUEUE_MAX = 1_000;
const ANSWER_WITHIN_MS = 15_000;
/** How long a goodbye may take. */
const GOODBYE_MS = 2_000;

const within = (ms: number, work: Promise<unknown>): Promise<void> =>
  new Promise((resolve) => {
    const cancel = after(ms, resolve);
    const end = (): void => {
      cancel();
      resolve();
    };
    work.then(end, end);
  });

/** A device of Device Center: logs in, stays connected, reports, and serves. */
export const createDevice = (options: DeviceOptions): Device => {
  const backoff = { ...defaultBackoff, ...options.backoff };
  const events = createEmitter<DeviceEvents>();
  const http = createHubHttp(options.hubUrl, options.fetch);
  const unit: Unit = { ...createUnit(options), events };
  let clockOffset = 0;
  const ownNow = options.now ?? Date.now;
  const now = (): number => ownNow() + clockOffset;
  const clock = {
    now,
    setTo: (time: number): void => {
      clockOffset = time - ownNow();
    },
  };

  const logInAgain = (who: Unit): void => {
    if (who === unit) {
      unit.session = null;
      close({ reason: 'logging in again' });
      steps.link?.destroy();
    } else children.remount(who);
  };

  const outbox = createOutbox({
    max: options.queue?.max ?? QUEUE_MAX,
    answerWithin: options.answerWithin ?? ANSWER_WITHIN_MS,
    onDropped: (_who, total) => events.emit('dropped', { count: 1, total }),
    onRefused: (who, refusal, envelope) => who.events.emit('refused', { refusal, envelope }),
    onTokenRefused: (who) => logInAgain(who),
  });

  const restart = (): void => {
    device.relogin().catch((error: unknown) => events.emit('error', { error }));
  };

  const conduct = {
    restart: (type: 1 | 2): void => {
      events.emit('restart', { type });
      restart();
    },
    kick: (reason: string, untilTime: number | null): void => {
      events.emit('kicked', { reason, untilTime });
      if (untilTime !== null) lifecycle.holdUntil(untilTime);
      // Its token ended with the kick, and the bucket may name another address after the next login.
      unit.session = null;
      void steps.link?.end();
    },
    changed: (changed: ('model' | 'config')[]): void => {
      events.emit('changed', { changed });
      if (changed.includes('config')) void voice.speaker.sync(['config']);
    },
  };

  const voice = createClientRuntime({ unit, outbox, now, conduct, http, backoff, onTokenRefused: logInAgain, restart });
  const children = createChildren({
    outbox,
    now,
    http,
    backoff,
    firstDataId: options.firstDataId ?? FIRST_DATA_ID,
    gateway: () => voice,
  });

  const findDeviceSession = (envelope: Envelope): ClientRuntime | undefined =>
    envelope.deviceId === unit.deviceId ? voice : children.find(envelope.deviceId);

  /** Why a message is not obeyed, or nothing. */
  const objection = (spoken: ClientRuntime, envelope: Envelope): string => {
    if (!isSignedBy(spoken.unit, envelope)) return 'signature';
    const isRequest = envelope.dataFlow === Flow.request;
    return isRequest && envelope.sessionId !== spoken.unit.session?.sessionId ? 'another session' : '';
  };

  const receive = (text: string): void => {
    const envelope = readEnvelope(text);
    const spoken = envelope && findDeviceSession(envelope);
    const wrong = spoken ? objection(spoken, envelope) : envelope ? 'another device' : 'unreadable';
    if (!spoken || wrong) {
      events.emit('ignored', { reason: wrong, envelope: envelope ?? undefined });
      return;
    }
    events.emit('message', { direction: 'down', envelope });
    if (envelope.dataFlow === Flow.response) outbox.answered(spoken.unit, envelope);
    else spoken.serve(envelope).catch((error: unknown) => events.emit('error', { error }));
  };

  const close = (ending: Ending): void => {
    const wasOnline = unit.ready;
    unit.ready = false;
    voice.silence();
    children.unmountAll('gateway offline');
    outbox.close();
    if (wasOnline) events.emit('offline', { deviceId: unit.deviceId, ...ending });
  };

  const open = (link: Link): void => {
    outbox.open((composed, acknowledged, isRepeat) => {
      const envelope = options.beforeSend?.(composed, { isRepeat }) ?? composed;
      events.emit('message', { direction: 'up', envelope });
      link.publish(JSON.stringify(envelope), acknowledged);
    });
    void link.closed.then((ending) => steps.link === link && close(ending));
  };

  const steps = createSteps({ options, voice, http, clock, events, onMessage: receive, onOpen: open });
  const lifecycle = createLifecycle({ steps, events, backoff, now });
  events.on('online', () => {
    outbox.pump();
    children.mountAll();
  });

  const sayGoodbye = async (link: Link): Promise<void> => {
    voice.flushLogs();
    children.flushLogs();
    if (unit.ready) await within(GOODBYE_MS, outbox.whenIdle());
    if (unit.ready) await within(GOODBYE_MS, voice.ask(MessageType.login, { op: 'offline' }));
    close({ reason: 'stopped' });
    await within(GOODBYE_MS, link.end());
    link.destroy();
  };

  const renewConnection = async (): Promise<void> => {
    close({ reason: 'reconnecting' });
    if (lifecycle.wanted) lifecycle.hurry();
    steps.link?.destroy();
    await steps.link?.closed;
    if (!lifecycle.wanted) await steps.bringUp(() => undefined);
  };

  const more = {
    on: events.on,
    get online(): boolean {
      return unit.ready;
    },
    get pending(): number {
      return outbox.pending;
    },
    get session(): DeviceSession | null {
      if (!unit.session) return null;
      const { sessionId, expiresAt, nextDataId } = unit.session;
      return { sessionId, expiresAt: expiresAt - clockOffset, nextDataId, topics: steps.topics };
    },
    start: lifecycle.start,
    stop: async (): Promise<void> => {
      lifecycle.giveUp();
      voice.halt();
      children.haltAll();
      if (steps.link) await sayGoodbye(steps.link);
      await lifecycle.ended();
      outbox.discard();
    },
    login: steps.login,
    findBucket: steps.findBucket,
    connect: steps.connect,
    subscribe: steps.subscribe,
    goOnline: steps.goOnline,
    relogin: (): Promise<void> => {
      unit.session = null;
      return renewConnection();
    },
    reconnect: renewConnection,
    disrupt: (): void => steps.link?.destroy(),
    addChild: children.add,
    removeChild: children.remove,
  };
  const device: Device = extended(voice.speaker, more);
  return device;
};
