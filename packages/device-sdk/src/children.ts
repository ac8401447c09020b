import { childAnswer, MessageType } from '@device-center/contract';
import { type BackoffOptions, backoffDelay, slowDelay } from './backoff.ts';
import { type ClientState, createClientState, loginOf } from './client-state.ts';
import { type ClientRuntime, createClientRuntime, withMembers } from './device-client.ts';
import { DeliveryError, DeviceError, needsOperator } from './device-error.ts';
import type { HubHttp } from './hub-http.ts';
import { after } from './platform.ts';
import type { SendQueue } from './send-queue.ts';
import type { Child, Credentials } from './types.ts';

type MountedChild = {
  runtime: ClientRuntime;
  child: Child;
  attempts: number;
  mountedAt: number;
  /** End of a login restriction after a kick; no login before this time. */
  notBefore: number;
  cancelRetry: () => void;
};

const STABLE_MS = 10_000;

type ChildrenOptions = {
  sendQueue: SendQueue;
  now: () => number;
  http: HubHttp;
  backoff: BackoffOptions;
  firstDataId: number;
  gateway: () => ClientRuntime;
};

/** The children of a gateway: it logs them in over its own connection, and again after every loss. */
export const createChildren = ({ sendQueue, now, http, backoff, firstDataId, gateway }: ChildrenOptions) => {
  const children = new Map<string, MountedChild>();

  const logIn = async ({ state, scheduleTokenRefresh }: ClientRuntime): Promise<void> => {
    const { tenantId = '' } = gateway().state.session ?? {};
    const response = await gateway().ask(MessageType.childLogin, { op: 'login', child: loginOf(state, now()) });
    const { token, expireIn, sessionId, deviceSecret } = childAnswer.parse(response);
    if (deviceSecret) {
      await state.info.onSecret?.(deviceSecret);
      state.secret = deviceSecret;
    }
    state.session = { sessionId, tenantId, token, expiresAt: now() + expireIn * 1_000, nextDataId: firstDataId };
    state.ready = true;
    scheduleTokenRefresh();
  };

  const retryLater = (entry: MountedChild, error: unknown): void => {
    const { state } = entry.runtime;
    if (error instanceof DeviceError) state.events.emit('refused', { refusal: error });
    const delay = needsOperator(error) ? slowDelay(backoff) : backoffDelay(entry.attempts++, backoff);
    entry.cancelRetry = after(Math.max(delay, entry.notBefore - now()), () => mount(entry));
  };

  const mount = (entry: MountedChild): void => {
    const { state } = entry.runtime;
    entry.cancelRetry();
    if (!gateway().state.ready || children.get(state.deviceId) !== entry) return;
    if (entry.notBefore > now()) {
      retryLater(entry, null);
      return;
    }
    logIn(entry.runtime).then(
      () => {
        entry.mountedAt = now();
        state.events.emit('online', { deviceId: state.deviceId });
        sendQueue.flush();
      },
      // When the gateway's connection is lost, mountAll() runs after it reconnects.
      (error: unknown) => {
        if (!(error instanceof DeliveryError && error.reason === 'disconnected')) retryLater(entry, error);
      },
    );
  };

  const unmount = ({ runtime, cancelRetry }: MountedChild, reason: string): void => {
    cancelRetry();
    runtime.cancelTokenRefresh();
    if (!runtime.state.ready) return;
    runtime.state.ready = false;
    runtime.state.events.emit('offline', { deviceId: runtime.state.deviceId, reason });
  };

  const remount = (state: ClientState): void => {
    const entry = children.get(state.deviceId);
    if (!entry || !state.ready) return;
    // Back off: two gateways configured with the same child must not take it from each other in a tight loop.
    if (now() - entry.mountedAt > STABLE_MS) entry.attempts = 0;
    unmount(entry, 'logging in again');
    entry.cancelRetry = after(backoffDelay(entry.attempts++, backoff), () => mount(entry));
  };

  return {
    find: (deviceId: string): ClientRuntime | undefined => children.get(deviceId)?.runtime,
    remount,
    mountAll: (): void => {
      for (const entry of children.values()) mount(entry);
    },
    unmountAll: (reason: string): void => {
      for (const entry of children.values()) unmount(entry, reason);
    },
    haltAll: (): void => {
      for (const { runtime } of children.values()) runtime.halt();
    },
    flushLogs: (): void => {
      for (const { runtime } of children.values()) runtime.flushLogs();
    },

    add: (credentials: Credentials): Child => {
      if (children.has(credentials.deviceId)) throw new TypeError(`${credentials.deviceId} is already a child`);
      const state = createClientState(credentials);
      const systemHandlers = {
        restart: (type: 1 | 2) => {
          state.events.emit('restart', { type });
          remount(state);
        },
        kick: (reason: string, untilTime: number | null) => {
          state.events.emit('kicked', { reason, untilTime });
          entry.notBefore = untilTime ?? 0;
          remount(state);
        },
        changed: (changed: ('model' | 'config')[]) => {
          state.events.emit('changed', { changed });
          if (changed.includes('config')) void runtime.client.sync(['config']);
        },
      };
      const restart = (): void => {
        remount(state);
        // A device reports its version in the online message; a child sends none, so it uses an identity message.
        runtime.identify();
      };
      const runtime = createClientRuntime({
        state,
        sendQueue,
        now,
        systemHandlers,
        http,
        backoff,
        onTokenRejected: remount,
        restart,
      });
      const childMembers = {
        on: state.events.on,
        get online() {
          return state.ready;
        },
      };
      const child = withMembers(runtime.client, childMembers);
      const entry: MountedChild = {
        runtime,
        child,
        attempts: 0,
        mountedAt: 0,
        notBefore: 0,
        cancelRetry: () => undefined,
      };
      children.set(state.deviceId, entry);
      mount(entry);
      return child;
    },

    remove: async (deviceId: string): Promise<void> => {
      const entry = children.get(deviceId);
      if (!entry) return;
      const wasReady = entry.runtime.state.ready;
      children.delete(deviceId);
      entry.runtime.halt();
      unmount(entry, 'by the gateway');
      sendQueue.discard(entry.runtime.state);
      if (wasReady) await gateway().ask(MessageType.childLogin, { op: 'logout', deviceId });
    },
  };
};

export type Children = ReturnType<typeof createChildren>;
