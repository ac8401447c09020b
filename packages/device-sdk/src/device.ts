import { type Envelope, Flow, MessageType } from '@device-center/contract';
import { defaultBackoff } from './backoff.ts';
import { createChildren } from './children.ts';
import { type ClientState, createClientState } from './client-state.ts';
import { type ClientRuntime, createClientRuntime, withMembers } from './device-client.ts';
import { createEmitter } from './emitter.ts';
import { isSignedBy, readEnvelope } from './envelope.ts';
import { createHubHttp } from './hub-http.ts';
import { createLifecycle } from './lifecycle.ts';
import type { CloseInfo, MqttConnection } from './mqtt-connection.ts';
import { after } from './platform.ts';
import { createSendQueue } from './send-queue.ts';
import { createSteps, FIRST_DATA_ID } from './steps.ts';
import type { Device, DeviceEvents, DeviceOptions, SessionInfo } from './types.ts';

const QUEUE_MAX = 1_000;
const ANSWER_WITHIN_MS = 15_000;
/** Time limit of each shutdown step. */
const SHUTDOWN_STEP_MS = 2_000;

const settledWithin = (ms: number, work: Promise<unknown>): Promise<void> =>
  new Promise((resolve) => {
    const cancel = after(ms, resolve);
    const end = (): void => {
      cancel();
      resolve();
    };
    work.then(end, end);
  });

/** Creates a Device Center device: it logs in, stays connected, sends messages and handles commands. */
export const createDevice = (options: DeviceOptions): Device => {
  const backoff = { ...defaultBackoff, ...options.backoff };
  const events = createEmitter<DeviceEvents>();
  const http = createHubHttp(options.hubUrl, options.fetch);
  const state: ClientState = { ...createClientState(options), events };
  let clockOffset = 0;
  const ownNow = options.now ?? Date.now;
  const now = (): number => ownNow() + clockOffset;
  const clock = {
    now,
    setTo: (time: number): void => {
      clockOffset = time - ownNow();
    },
  };

  const logInAgain = (target: ClientState): void => {
    if (target === state) {
      state.session = null;
      close({ reason: 'logging in again' });
      steps.connection?.destroy();
    } else children.remount(target);
  };

  const sendQueue = createSendQueue({
    max: options.queue?.max ?? QUEUE_MAX,
    answerWithin: options.answerWithin ?? ANSWER_WITHIN_MS,
    onDropped: (_sender, total) => events.emit('dropped', { count: 1, total }),
    onRejected: (sender, refusal, envelope) => sender.events.emit('refused', { refusal, envelope }),
    onTokenRejected: (sender) => logInAgain(sender),
  });

  const restart = (): void => {
    device.relogin().catch((error: unknown) => events.emit('error', { error }));
  };

  const systemHandlers = {
    restart: (type: 1 | 2): void => {
      events.emit('restart', { type });
      restart();
    },
    kick: (reason: string, untilTime: number | null): void => {
      events.emit('kicked', { reason, untilTime });
      if (untilTime !== null) lifecycle.waitUntil(untilTime);
      // The kick revoked the token, and the next login may return another address.
      state.session = null;
      void steps.connection?.end();
    },
    changed: (changed: ('model' | 'config')[]): void => {
      events.emit('changed', { changed });
      if (changed.includes('config')) void runtime.client.sync(['config']);
    },
  };

  const runtime = createClientRuntime({
    state,
    sendQueue,
    now,
    systemHandlers,
    http,
    backoff,
    onTokenRejected: logInAgain,
    restart,
  });
  const children = createChildren({
    sendQueue,
    now,
    http,
    backoff,
    firstDataId: options.firstDataId ?? FIRST_DATA_ID,
    gateway: () => runtime,
  });

  const findRuntime = (envelope: Envelope): ClientRuntime | undefined =>
    envelope.deviceId === state.deviceId ? runtime : children.find(envelope.deviceId);

  /** Returns why a message must be ignored, or ''. */
  const ignoreReason = (recipient: ClientRuntime, envelope: Envelope): string => {
    if (!isSignedBy(recipient.state, envelope)) return 'signature';
    const isRequest = envelope.dataFlow === Flow.request;
    return isRequest && envelope.sessionId !== recipient.state.session?.sessionId ? 'another session' : '';
  };

  const receive = (text: string): void => {
    const envelope = readEnvelope(text);
    const recipient = envelope && findRuntime(envelope);
    const reason = recipient ? ignoreReason(recipient, envelope) : envelope ? 'another device' : 'unreadable';
    if (!recipient || reason) {
      events.emit('ignored', { reason, envelope: envelope ?? undefined });
      return;
    }
    events.emit('message', { direction: 'down', envelope });
    if (envelope.dataFlow === Flow.response) sendQueue.answered(recipient.state, envelope);
    else recipient.serve(envelope).catch((error: unknown) => events.emit('error', { error }));
  };

  const close = (closeInfo: CloseInfo): void => {
    const wasOnline = state.ready;
    state.ready = false;
    runtime.cancelTokenRefresh();
    children.unmountAll('gateway offline');
    sendQueue.close();
    if (wasOnline) events.emit('offline', { deviceId: state.deviceId, ...closeInfo });
  };

  const open = (connection: MqttConnection): void => {
    sendQueue.open((composed, acknowledged, isRepeat) => {
      const envelope = options.beforeSend?.(composed, { isRepeat }) ?? composed;
      events.emit('message', { direction: 'up', envelope });
      connection.publish(JSON.stringify(envelope), acknowledged);
    });
    void connection.closed.then((closeInfo) => steps.connection === connection && close(closeInfo));
  };

  const steps = createSteps({ options, runtime, http, clock, events, onMessage: receive, onOpen: open });
  const lifecycle = createLifecycle({ steps, events, backoff, now });
  events.on('online', () => {
    sendQueue.flush();
    children.mountAll();
  });

  const disconnectGracefully = async (connection: MqttConnection): Promise<void> => {
    runtime.flushLogs();
    children.flushLogs();
    if (state.ready) await settledWithin(SHUTDOWN_STEP_MS, sendQueue.whenIdle());
    if (state.ready) await settledWithin(SHUTDOWN_STEP_MS, runtime.ask(MessageType.login, { op: 'offline' }));
    close({ reason: 'stopped' });
    await settledWithin(SHUTDOWN_STEP_MS, connection.end());
    connection.destroy();
  };

  const reconnect = async (): Promise<void> => {
    close({ reason: 'reconnecting' });
    if (lifecycle.wanted) lifecycle.retryNow();
    steps.connection?.destroy();
    await steps.connection?.closed;
    if (!lifecycle.wanted) await steps.bringUp(() => undefined);
  };

  const deviceMembers = {
    on: events.on,
    get online(): boolean {
      return state.ready;
    },
    get pending(): number {
      return sendQueue.pending;
    },
    get session(): SessionInfo | null {
      if (!state.session) return null;
      const { sessionId, expiresAt, nextDataId } = state.session;
      return { sessionId, expiresAt: expiresAt - clockOffset, nextDataId, topics: steps.topics };
    },
    start: lifecycle.start,
    stop: async (): Promise<void> => {
      lifecycle.stopRetrying();
      runtime.halt();
      children.haltAll();
      if (steps.connection) await disconnectGracefully(steps.connection);
      await lifecycle.ended();
      sendQueue.discard();
    },
    login: steps.login,
    findBucket: steps.findBucket,
    connect: steps.connect,
    subscribe: steps.subscribe,
    goOnline: steps.goOnline,
    relogin: (): Promise<void> => {
      state.session = null;
      return reconnect();
    },
    reconnect,
    dropConnection: (): void => steps.connection?.destroy(),
    disrupt: (): void => steps.connection?.destroy(),
    addChild: children.add,
    removeChild: children.remove,
  };
  const device: Device = withMembers(runtime.client, deviceMembers);
  return device;
};
