import { childAnswer, MessageType } from '@device-center/contract';
import { type BackoffOptions, backoffDelay, slowDelay } from './backoff.ts';
import { createUnit, loginOf, type Unit } from './client-state.ts';
import { type ClientRuntime, createClientRuntime, extended } from './device-client.ts';
import { DeliveryError, DeviceError, needsOperator } from './device-error.ts';
import type { HubHttp } from './hub-http.ts';
import { after } from './runtime.ts';
import type { SendQueue } from './send-queue.ts';
import type { Child, Credentials } from './types.ts';

type Mounted = {
  voice: ClientRuntime;
  child: Child;
  attempts: number;
  mountedAt: number;
  /** Kicked: not before this time. */
  notBefore: number;
  cancelRetry: () => void;
};

const STABLE_MS = 10_000;

type ChildrenOptions = {
  outbox: SendQueue;
  now: () => number;
  http: HubHttp;
  backoff: BackoffOptions;
  firstDataId: number;
  gateway: () => ClientRuntime;
};

/** The devices behind a gateway: logged in by it, speaking over its connection, mounted again after every loss. */
export const createChildren = ({ outbox, now, http, backoff, firstDataId, gateway }: ChildrenOptions) => {
  const children = new Map<string, Mounted>();

  const logIn = async ({ unit, scheduleTokenRefresh }: ClientRuntime): Promise<void> => {
    const { tenantId = '' } = gateway().unit.session ?? {};
    const answer = await gateway().ask(MessageType.childLogin, { op: 'login', child: loginOf(unit, now()) });
    const { token, expireIn, sessionId, deviceSecret } = childAnswer.parse(answer);
    if (deviceSecret) {
      await unit.info.onSecret?.(deviceSecret);
      unit.secret = deviceSecret;
    }
    unit.session = { sessionId, tenantId, token, expiresAt: now() + expireIn * 1_000, nextDataId: firstDataId };
    unit.ready = true;
    scheduleTokenRefresh();
  };

  const retryLater = (entry: Mounted, error: unknown): void => {
    const { unit } = entry.voice;
    if (error instanceof DeviceError) unit.events.emit('refused', { refusal: error });
    const delay = needsOperator(error) ? slowDelay(backoff) : backoffDelay(entry.attempts++, backoff);
    entry.cancelRetry = after(Math.max(delay, entry.notBefore - now()), () => mount(entry));
  };

  const mount = (entry: Mounted): void => {
    const { unit } = entry.voice;
    entry.cancelRetry();
    if (!gateway().unit.ready || children.get(unit.deviceId) !== entry) return;
    if (entry.notBefore > now()) {
      retryLater(entry, null);
      return;
    }
    logIn(entry.voice).then(
      () => {
        entry.mountedAt = now();
        unit.events.emit('online', { deviceId: unit.deviceId });
        outbox.pump();
      },
      // With the gateway's connection gone, its return mounts them all.
      (error: unknown) => {
        if (!(error instanceof DeliveryError && error.reason === 'disconnected')) retryLater(entry, error);
      },
    );
  };

  const unmount = ({ voice, cancelRetry }: Mounted, reason: string): void => {
    cancelRetry();
    voice.silence();
    if (!voice.unit.ready) return;
    voice.unit.ready = false;
    voice.unit.events.emit('offline', { deviceId: voice.unit.deviceId, reason });
  };

  const remount = (unit: Unit): void => {
    const entry = children.get(unit.deviceId);
    if (!entry || !unit.ready) return;
    // Two gateways that both hear it must not tear it to and fro.
    if (now() - entry.mountedAt > STABLE_MS) entry.attempts = 0;
    unmount(entry, 'logging in again');
    entry.cancelRetry = after(backoffDelay(entry.attempts++, backoff), () => mount(entry));
  };

  return {
    find: (deviceId: string): ClientRuntime | undefined => children.get(deviceId)?.voice,
    remount,
    mountAll: (): void => {
      for (const entry of children.values()) mount(entry);
    },
    unmountAll: (reason: string): void => {
      for (const entry of children.values()) unmount(entry, reason);
    },
    haltAll: (): void => {
      for (const { voice } of children.values()) voice.halt();
    },
    flushLogs: (): void => {
      for (const { voice } of children.values()) voice.flushLogs();
    },

    add: (credentials: Credentials): Child => {
      if (children.has(credentials.deviceId)) throw new TypeError(`${credentials.deviceId} is a child already`);
      const unit = createUnit(credentials);
      const conduct = {
        restart: (type: 1 | 2) => {
          unit.events.emit('restart', { type });
          remount(unit);
        },
        kick: (reason: string, untilTime: number | null) => {
          unit.events.emit('kicked', { reason, untilTime });
          entry.notBefore = untilTime ?? 0;
          remount(unit);
        },
        changed: (changed: ('model' | 'config')[]) => {
          unit.events.emit('changed', { changed });
          if (changed.includes('config')) void voice.speaker.sync(['config']);
        },
      };
      const restart = (): void => {
        remount(unit);
        // A child has no message of type 1 that would say it.
        voice.identify();
      };
      const voice = createClientRuntime({
        unit,
        outbox,
        now,
        conduct,
        http,
        backoff,
        onTokenRefused: remount,
        restart,
      });
      const extra = {
        on: unit.events.on,
        get online() {
          return unit.ready;
        },
      };
      const child = extended(voice.speaker, extra);
      const entry: Mounted = { voice, child, attempts: 0, mountedAt: 0, notBefore: 0, cancelRetry: () => undefined };
      children.set(unit.deviceId, entry);
      mount(entry);
      return child;
    },

    remove: async (deviceId: string): Promise<void> => {
      const entry = children.get(deviceId);
      if (!entry) return;
      const wasReady = entry.voice.unit.ready;
      children.delete(deviceId);
      entry.voice.halt();
      unmount(entry, 'by the gateway');
      outbox.discard(entry.voice.unit);
      if (wasReady) await gateway().ask(MessageType.childLogin, { op: 'logout', deviceId });
    },
  };
};

export type Children = ReturnType<typeof createChildren>;
