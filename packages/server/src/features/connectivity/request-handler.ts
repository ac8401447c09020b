import {
  type DeviceCodeName,
  type DeviceConfig,
  type DeviceRequest,
  deviceCodes,
  type Envelope,
  type Identity,
  MessageType,
} from '@device-center/contract';
import type { Updateable } from 'kysely';
import { isDatabaseUnavailable } from '../../db/errors.ts';
import type { DeviceTable } from '../../db/hub-tables.ts';
import { changedAttributeColumns, MALFORMED_ATTRIBUTE, reportedAttributes } from '../../domain/device/attributes.ts';
import { versionColumns } from '../../domain/ota/version-keys.ts';
import { AppError } from '../../platform/app-error.ts';
import { digest, newToken } from '../../platform/ids.ts';
import type { Log } from '../../platform/log.ts';
import { type ChildLoginDeps, createChildLogin, REDACTED_SECRET } from './child-login.ts';
import type { DeviceConnection, DeviceSession } from './connection-registry.ts';
import type { Downlink } from './downlink.ts';
import type { PayloadData } from './read-payload.ts';

export type RequestHandlerDeps = ChildLoginDeps & { downlink: Downlink; tokenLifeMs: number; log: Log };

/** The parsed payload of a request type. */
type RequestPayload<Type extends DeviceRequest['type']> = Extract<DeviceRequest, { type: Type }>['body'];

/** A request's envelope, with the function that the records of request and response name. */
type RequestEnvelope = Envelope & Pick<PayloadData, 'functionType' | 'functionId'>;

const OLD_TOKEN_MS = 60_000;

const configOf = (session: DeviceSession): DeviceConfig => ({
  loggerLevel: session.loggerLevel,
  realTimePushSwitch: session.realTimePush,
  haZoneId: session.zoneId,
});

/** Handles device requests that the hub responds to. */
export const createRequestHandler = (deps: RequestHandlerDeps) => {
  const { db, models, presence, downlink, upgrades, tokenLifeMs, log } = deps;
  const handleChildLogin = createChildLogin(deps);

  /** Stores the reported identity. Only changes are written, since devices report it on every reconnect. */
  const storeIdentity = async (session: DeviceSession, identity: Identity): Promise<void> => {
    const columns: Updateable<DeviceTable> = {
      ...(identity.versionNumber && identity.versionNumber !== session.versionNumber
        ? versionColumns(identity.versionNumber)
        : {}),
      ...changedAttributeColumns(
        reportedAttributes({ mac: identity.mac === session.mac ? undefined : identity.mac }, (fact) =>
          log.warn({ deviceId: session.deviceId, fact }, MALFORMED_ATTRIBUTE),
        ),
      ),
      ...(identity.hardware ? { hardware: identity.hardware } : {}),
      ...(identity.sdk ? { sdk: identity.sdk } : {}),
    };
    if (Object.keys(columns).length > 0) await write(session, columns);
    if (identity.versionNumber) await upgrades.versionReported(session, identity.versionNumber);
  };

  const write = async (session: DeviceSession, columns: Updateable<DeviceTable>): Promise<void> => {
    await db
      .updateTable('device')
      .set({ ...columns, updated_at: Date.now() })
      .where('device_id', '=', session.deviceId)
      .execute();
    session.versionNumber = columns.version_number ?? session.versionNumber;
    session.mac = columns.mac ?? session.mac;
  };

  const handleOnline = async (session: DeviceSession, request: RequestPayload<1>): Promise<object> => {
    if (request.op === 'online') {
      await storeIdentity(session, request);
      await upgrades.deviceReconnected(session);
      // Presence must be committed first: a client that sees the response may send the device a command immediately.
      await presence.whenOnline(session);
    }
    return {
      time: Date.now(),
      tokenExpireIn: Math.max(0, Math.floor((session.tokenExpiresAt - Date.now()) / 1_000)),
      modelVersion: models.of(session.productId).version,
      config: configOf(session),
    };
  };

  const refresh = async (session: DeviceSession): Promise<[object, object]> => {
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
      .where('session_id', '=', session.sessionId)
      .where('ended', '=', 0)
      .executeTakeFirst();
    // The session was ended by a newer login or by an operator.
    if (Number(numUpdatedRows) === 0) throw new AppError('TOKEN_INVALID');
    Object.assign(session, {
      oldTokenHash: session.tokenHash,
      oldTokenExpiresAt: now + OLD_TOKEN_MS,
      tokenHash: next.hash,
      tokenExpiresAt: next.expiresAt,
      knownToken: '',
    } satisfies Partial<DeviceSession>);
    const expireIn = Math.floor(tokenLifeMs / 1_000);
    return [
      { token, expireIn },
      { token: REDACTED_SECRET, expireIn },
    ];
  };

  const sync = (session: DeviceSession, { ask }: RequestPayload<10>): object => {
    const { version, functions } = models.of(session.productId);
    return {
      ...(ask.includes('time') ? { time: Date.now() } : {}),
      ...(ask.includes('model') ? { model: { version, functions: [...functions.values()] } } : {}),
      ...(ask.includes('config') ? { config: configOf(session) } : {}),
    };
  };

  /** Returns the response and, if it contains a secret, its redacted form for the record. */
  const handle = async (
    connection: DeviceConnection,
    session: DeviceSession,
    request: DeviceRequest,
  ): Promise<[object, object?]> => {
    switch (request.type) {
      case MessageType.login:
        return [await handleOnline(session, request.body)];
      case MessageType.identity:
        await storeIdentity(session, request.body);
        return [{}];
      case MessageType.childLogin:
        if (session !== connection) throw new AppError('NOT_A_GATEWAY');
        return handleChildLogin(connection, request.body);
      case MessageType.refresh:
        return refresh(session);
      case MessageType.sync:
        return [sync(session, request.body)];
    }
  };

  const sendError = (
    connection: DeviceConnection,
    session: DeviceSession,
    envelope: RequestEnvelope,
    error: unknown,
  ): void => {
    if (error instanceof AppError && error.code in deviceCodes) {
      downlink.sendError(connection, session, envelope, error.code as DeviceCodeName);
      return;
    }
    if (!isDatabaseUnavailable(error)) log.error({ err: error, type: envelope.type }, 'device request failed');
    downlink.sendError(connection, session, envelope, isDatabaseUnavailable(error) ? 'AWAY' : 'FAULT');
  };

  return (
    connection: DeviceConnection,
    session: DeviceSession,
    envelope: Envelope,
    request: DeviceRequest,
    parsed: PayloadData,
  ): void => {
    const { functionType, functionId } = parsed;
    const requestEnvelope: RequestEnvelope = { ...envelope, functionType, functionId };
    handle(connection, session, request).then(
      ([answer, redacted]) => downlink.respond(connection, session, requestEnvelope, answer, redacted),
      (error: unknown) => sendError(connection, session, requestEnvelope, error),
    );
  };
};
