import type { LogLevelId, SignMethod } from '@device-center/contract';
import type { ClientHandle } from '../../mqtt/server-types.ts';

/** One login of a device or of a child behind a gateway, with all data needed to authenticate its messages. */
export type DeviceSession = {
  deviceId: string;
  registrationNo: number;
  tenancyId: string;
  productId: string;
  applicationId: string;
  nodeType: 1 | 2 | 3;
  mock: 0 | 1;
  secret: string;
  /** 0 until the device has signed a message with its own secret. */
  secretProven: 0 | 1;
  signMethod: SignMethod;
  sessionId: string;
  /** Sessions of earlier logins: a resent message carries the session in which it was first sent. */
  previousSessions: ReadonlySet<string>;
  tokenHash: string;
  tokenExpiresAt: number;
  oldTokenHash: string;
  /** Token of the login or CONNECT; a last will signed with it stays valid for the whole connection. */
  firstTokenHash: string;
  oldTokenExpiresAt: number;
  /** The token verified last, so that not every message needs a hash. */
  knownToken: string;
  loggerLevel: LogLevelId;
  realTimePush: 0 | 1;
  zoneId: number;
  versionNumber: string;
  mac: string;
  connNo: number;
  connectedAt: number;
  /** Reason of a kick in progress: the device may disconnect by itself before the hub does. */
  kickedFor?: string;
};

export type DeviceConnection = DeviceSession & {
  client: ClientHandle;
  /** The zone whose broker the device is connected to; 0: the hub's own MQTT server. */
  linkZoneId: number;
  ip: string;
  transport: string;
  children: Map<string, DeviceSession>;
  /** Children whose login is in progress; they count towards the limit. */
  pendingChildren: Set<string>;
  /** When a rejected message was last recorded; repeated rejections are recorded at an interval. */
  lastRejectionAt: number;
};

/** The connections of this hub, and the CONNECTs that are being authorized. */
export const createConnectionRegistry = () => {
  const byDevice = new Map<string, DeviceConnection>();
  const pending = new Map<string, { numbers: Set<number>; newest: number }>();
  /** Gateway connection by child. */
  const gateways = new Map<string, DeviceConnection>();

  return {
    get: (deviceId: string): DeviceConnection | undefined => byDevice.get(deviceId),
    gatewayOf: (childId: string): DeviceConnection | undefined => gateways.get(childId),
    all: (): IterableIterator<DeviceConnection> => byDevice.values(),

    addPending(deviceId: string, connNo: number): void {
      const entry = pending.get(deviceId) ?? { numbers: new Set(), newest: connNo };
      entry.numbers.add(connNo);
      entry.newest = Math.max(entry.newest, connNo);
      pending.set(deviceId, entry);
    },
    removePending(deviceId: string, connNo: number): void {
      const entry = pending.get(deviceId);
      entry?.numbers.delete(connNo);
      if (entry?.numbers.size === 0) pending.delete(deviceId);
    },
    /** True if a newer CONNECT of the device arrived during authorization; it may have ended already. */
    isSuperseded: (deviceId: string, arrivalNo: number, connNo: number): boolean =>
      (pending.get(deviceId)?.newest ?? 0) > arrivalNo || (byDevice.get(deviceId)?.connNo ?? 0) > connNo,

    /** Adds a connection and returns the one it replaces, which the caller disconnects. */
    add(connection: DeviceConnection): DeviceConnection | undefined {
      const replaced = byDevice.get(connection.deviceId);
      byDevice.set(connection.deviceId, connection);
      return replaced;
    },
    remove(connection: DeviceConnection): void {
      if (byDevice.get(connection.deviceId) === connection) byDevice.delete(connection.deviceId);
      for (const childId of connection.children.keys())
        if (gateways.get(childId) === connection) gateways.delete(childId);
    },

    /** Attaches a child to a gateway and detaches it from its previous one. */
    attachChild(connection: DeviceConnection, child: DeviceSession): void {
      gateways.get(child.deviceId)?.children.delete(child.deviceId);
      gateways.set(child.deviceId, connection);
      connection.children.set(child.deviceId, child);
    },
    detachChild(childId: string): DeviceSession | undefined {
      const connection = gateways.get(childId);
      const child = connection?.children.get(childId);
      connection?.children.delete(childId);
      gateways.delete(childId);
      return child;
    },
  };
};

export type ConnectionRegistry = ReturnType<typeof createConnectionRegistry>;
