import {
  type DeviceCodeName,
  type DeviceConfig,
  deviceCodes,
  type Envelope,
  type Identity,
  MessageType,
  type UpRequest,
} from '@device-center/contract';
import type { Updateable } from 'kysely';
import { changedFactColumns, MALFORMED_FACT, reportedFacts } from '../../db/device-facts.ts';
import type { DeviceTable } from '../../db/device-tables.ts';
import { isDatabaseUnavailable } from '../../db/errors.ts';
import { versionColumns } from '../../db/version-keys.ts';
import { AppError } from '../../platform/app-error.ts';
import { digest, newToken } from '../../platform/ids.ts';
import type { Log } from '../../platform/log.ts';
import { createServeChild, type ServeChildDeps, SHOWN_SECRET } from './child-login.ts';
import type { DeviceConnection, DeviceSession } from './connection-registry.ts';
import type { Downlink } from './downlink.ts';
import type { Reading } from './read-payload.ts';

export type ServeDeps = ServeChildDeps & { downward: Downlink; tokenLifeMs: number; log: Log };

/** What a request of this type says. */
type Said<Type extends UpRequest['type']> = Extract<UpRequest, { type: Type }>['said'];

/** A request with the function that its record names, and the record of its answer too. */
type Asked = Envelope & Pick<Reading, 'functionType' | 'functionId'>;

const OLD_TOKEN_MS = 60_000;

const configOf = (speaker: DeviceSession): DeviceConfig => ({
  loggerLevel: speaker.loggerLevel,
  realTimePushSwitch: speaker.realTimePush,
  haZoneId: speaker.zoneId,
});

/** The requests of devices that the hub answers itself. */
export const createServe = (deps: ServeDeps) => {
  const { db, models, presence, downward, upgrades, tokenLifeMs, log } = deps;
  const serveChild = createServeChild(deps);

  /** What it is now: written only where it differs, since every reconnect says it again. */
  const learn = async (speaker: DeviceSession, told: Identity): Promise<void> => {
    const changed: Updateable<DeviceTable> = {
      ...(told.versionNumber && told.versionNumber !== speaker.versionNumber ? versionColumns(told.versionNumber) : {}),
      ...changedFactColumns(
        reportedFacts({ mac: told.mac === speaker.mac ? undefined : told.mac }, (fact) =>
          log.warn({ deviceId: speaker.deviceId, fact }, MALFORMED_FACT),
        ),
      ),
      ...(told.hardware ? { hardware: told.hardware } : {}),
      ...(told.sdk ? { sdk: told.sdk } : {}),
    };
    if (Object.keys(changed).length > 0) await write(speaker, changed);
    if (told.versionNumber) await upgrades.runs(speaker, told.versionNumber);
  };

  const write = async (speaker: DeviceSession, changed: Updateable<DeviceTable>): Promise<void> => {
    await db
      .updateTable('device')
      .set({ ...changed, updated_at: Date.now() })
      .where('device_id', '=', speaker.deviceId)
      .execute();
    speaker.versionNumber = changed.version_number ?? speaker.versionNumber;
    speaker.mac = changed.mac ?? speaker.mac;
  };

  const online = async (speaker: DeviceSession, told: Said<1>): Promise<object> => {
    if (told.op === 'online') {
      await learn(speaker, told);
      await upgrades.deviceReconnected(speaker);
      // A client that sees the answer may send the device a command at once.
      await presence.whenOnline(speaker);
    }
    return {
      time: Date.now(),
      tokenExpireIn: Math.max(0, Math.floor((speaker.tokenExpiresAt - Date.now()) / 1_000)),
      modelVersion: models.of(speaker.productId).version,
      config: configOf(speaker),
    };
  };

  const refresh = async (speaker: DeviceSession): Promise<[object, object]> => {
    const token = newToken();
    const now = Date.now();
    const next = { hash: digest(token), expiresAt: now + tokenLifeMs };
    const { numUpdatedRows } = await db
      .updateTable('device_session')
      .set((row) => ({
        old_token_hash: row.ref('token_hash'),
        old_expires_at: now + OLD_TOKEN_MS,
        token_hash: next.hash,
        expires_at: next.expiresAt,
      }))
      .where('session_id', '=', speaker.sessionId)
      .where('ended', '=', 0)
      .executeTakeFirst();
    // A log-in since then, or an operator, has ended this session.
    if (Number(numUpdatedRows) === 0) throw new AppError('TOKEN_INVALID');
    Object.assign(speaker, {
      oldTokenHash: speaker.tokenHash,
      oldTokenExpiresAt: now + OLD_TOKEN_MS,
      tokenHash: next.hash,
      tokenExpiresAt: next.expiresAt,
      knownToken: '',
    } satisfies Partial<DeviceSession>);
    const expireIn = Math.floor(tokenLifeMs / 1_000);
    return [
      { token, expireIn },
      { token: SHOWN_SECRET, expireIn },
    ];
  };

  const sync = (speaker: DeviceSession, { ask }: Said<10>): object => {
    const { version, functions } = models.of(speaker.productId);
    return {
      ...(ask.includes('time') ? { time: Date.now() } : {}),
      ...(ask.includes('model') ? { model: { version, functions: [...functions.values()] } } : {}),
      ...(ask.includes('config') ? { config: configOf(speaker) } : {}),
    };
  };

  /** The answer, and where that holds a secret, what its record shows. */
  const handle = async (
    peer: DeviceConnection,
    speaker: DeviceSession,
    request: UpRequest,
  ): Promise<[object, object?]> => {
    switch (request.type) {
      case MessageType.login:
        return [await online(speaker, request.said)];
      case MessageType.identity:
        await learn(speaker, request.said);
        return [{}];
      case MessageType.childLogin:
        if (speaker !== peer) throw new AppError('NOT_A_GATEWAY');
        return serveChild(peer, request.said);
      case MessageType.refresh:
        return refresh(speaker);
      case MessageType.sync:
        return [sync(speaker, request.said)];
    }
  };

  const refuse = (peer: DeviceConnection, speaker: DeviceSession, envelope: Asked, error: unknown): void => {
    if (error instanceof AppError && error.code in deviceCodes) {
      downward.refuse(peer, speaker, envelope, error.code as DeviceCodeName);
      return;
    }
    if (!isDatabaseUnavailable(error)) log.error({ err: error, type: envelope.type }, 'a request of a device failed');
    downward.refuse(peer, speaker, envelope, isDatabaseUnavailable(error) ? 'AWAY' : 'FAULT');
  };

  return (
    peer: DeviceConnection,
    speaker: DeviceSession,
    envelope: Envelope,
    request: UpRequest,
    reading: Reading,
  ): void => {
    const { functionType, functionId } = reading;
    const asked: Asked = { ...envelope, functionType, functionId };
    handle(peer, speaker, request).then(
      ([answer, shown]) => downward.answer(peer, speaker, asked, answer, shown),
      (error: unknown) => refuse(peer, speaker, asked, error),
    );
  };
};
