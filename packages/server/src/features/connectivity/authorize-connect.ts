import { type DeviceCodeName, downTopic, upTopic } from '@device-center/contract';
import type { Db } from '../../db/connect.ts';
import { hasToken, tokenEndsAt } from '../../db/device-tokens.ts';
import { isDatabaseUnavailable } from '../../db/errors.ts';
import type { Admit, Connection, ConnectRequest, DisconnectReason } from '../../mqtt/server-types.ts';
import { digest, nextSequenceId } from '../../platform/ids.ts';
import type { Log } from '../../platform/log.ts';
import type { SecretBox } from '../../platform/secret-box.ts';
import type { Refusal } from '../../records/rejections.ts';
import type { ConnectionRegistry, DeviceConnection } from './connection-registry.ts';
import {
  denialReason,
  nextConnNo,
  previousSessionIds,
  type SpeakerRow,
  selectSpeakers,
  toSpeaker,
} from './device-session.ts';
import type { Models } from './model-cache.ts';
import type { Paces } from './rate-limit.ts';
import type { Source } from './uplink.ts';

type AdmitDeps = {
  db: Db;
  secrets: SecretBox;
  peers: ConnectionRegistry;
  models: Pick<Models, 'prepare'>;
  /** How often orders to cut were taken: whoever was judged before one is judged again. */
  ordersTaken: () => number;
  log: Log;
  refuse: (refusal: Refusal) => void;
  pace: Pick<Paces, 'of'>;
  take: (topic: string, bytes: Buffer, source: Source, acknowledge: () => void) => void;
  connected: (peer: DeviceConnection) => void;
  disconnected: (peer: DeviceConnection, reason: DisconnectReason, detail: string) => void;
};

/** Why this device may not connect just now; nothing when it may. */
const refusalOf = (row: SpeakerRow, tokenHash: string): DeviceCodeName | undefined => {
  const forbidden = denialReason(row);
  if (forbidden) return forbidden;
  if (row.gateway_id !== '') return 'TOKEN_INVALID';
  return tokenEndsAt(row, tokenHash) <= Date.now() ? 'TOKEN_EXPIRED' : undefined;
};

/** The door of the gateway: who may connect, from the rows as they stand at this moment. */
export const createConnectAuthorizer = (deps: AdmitDeps): Admit => {
  const { db, secrets, peers, models, log } = deps;

  /** Also of a session that was ended: whoever was put on the blacklist is told that, and not that its token is wrong. */
  const findRow = (deviceId: string, tokenHash: string): Promise<SpeakerRow | undefined> =>
    selectSpeakers(db).where('device.device_id', '=', deviceId).where(hasToken(tokenHash)).executeTakeFirst();

  /** A wrong token of a known device is worth knowing; of an unknown one nobody would read it. */
  const recordWrongToken = async (deviceId: string, ip: string, transport: string): Promise<void> => {
    const device = await db
      .selectFrom('device')
      .select(['tenancy_id', 'product_id'])
      .where('device_id', '=', deviceId)
      .executeTakeFirst();
    if (!device) return;
    const { tenancy_id: tenancyId, product_id: productId } = device;
    deps.refuse({ tenancyId, productId, deviceId, cause: 'TOKEN_INVALID', place: 'connect', ip, transport });
  };

  const decide = async (request: ConnectRequest, connection: Connection, knocked: number): ReturnType<Admit> => {
    const { clientId: deviceId, ip, transport } = request;
    const tokenHash = digest(request.password);
    const orders = deps.ordersTaken();
    const row = await findRow(deviceId, tokenHash);
    if (!row) {
      await recordWrongToken(deviceId, ip, transport);
      return { accepted: false, cause: 'TOKEN_INVALID' };
    }
    const cause = refusalOf(row, tokenHash);
    if (cause) {
      const { tenancy_id: tenancyId, product_id: productId } = row;
      deps.refuse({ tenancyId, productId, deviceId, cause, place: 'connect', ip, transport });
      return { accepted: false, cause };
    }
    await models.prepare(row.product_id);
    const connNo = nextConnNo(row, knocked);
    const speaker = toSpeaker(row, secrets, await previousSessionIds(db, deviceId));
    const peer: DeviceConnection = {
      ...speaker,
      connNo,
      connection,
      linkZoneId: 0,
      ip,
      transport,
      children: new Map(),
      mounting: new Set(),
      refusalAt: 0,
    };
    const topicOwner = { routeKey: row.route_key, tenancyId: row.tenancy_id, productId: row.product_id, deviceId };
    const topic = upTopic(topicOwner);
    const topics = { accepted: true, upTopic: topic, downTopic: downTopic(topicOwner) } as const;
    // The gateway refuses a will to another topic; whoever is connected meanwhile stays.
    if (request.will && request.will.topic !== topic)
      return { ...topics, receive: () => undefined, closed: () => undefined };
    if (peers.isSuperseded(deviceId, knocked, connNo)) return { accepted: false, cause: 'TOO_MANY' };
    if (orders !== deps.ordersTaken()) return decide(request, connection, knocked);
    // The gateway lets a connection speak on its own topic alone.
    const source: Source = { connectionFor: () => peer };
    peers.enter(peer)?.connection.cut('replaced', `by a connection from ${ip}`);
    deps.connected(peer);
    const pace = deps.pace.of(row.tenancy_id, deviceId);
    return {
      ...topics,
      pace,
      onWill: (payload) => deps.take(topic, payload, { ...source, isWill: true }, () => undefined),
      receive: (payload, _qos, acknowledge) => deps.take(topic, payload, source, acknowledge),
      closed: (reason, detail) => {
        pace.end();
        peers.leave(peer);
        deps.disconnected(peer, reason, detail);
      },
    };
  };

  return async (request, connection) => {
    // Numbered as they come, and not as their rows are read: of two, the later one stays.
    const connNo = nextSequenceId();
    peers.knock(request.clientId, connNo);
    try {
      return await decide(request, connection, connNo);
    } catch (error) {
      if (!isDatabaseUnavailable(error)) log.error({ err: error }, 'a connection could not be judged');
      return { accepted: false, cause: isDatabaseUnavailable(error) ? 'AWAY' : 'FAULT' };
    } finally {
      peers.removePending(request.clientId, connNo);
    }
  };
};
