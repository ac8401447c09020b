import type { LogLevelId, SignMethod } from '@device-center/contract';
import type { Connection } from '../../mqtt/server-types.ts';

/** Whoever may speak on a connection: its device, or a child behind it. All that judging a message needs, at hand. */
export type DeviceSession = {
  deviceId: string;
  registrationNo: number;
  tenancyId: string;
  productId: string;
  applicationId: string;
  nodeType: 1 | 2 | 3;
  mock: 0 | 1;
  secret: string;
  /** 0 until its own secret has signed something: then its first message is noted. */
  secretProven: 0 | 1;
  signMethod: SignMethod;
  sessionId: string;
  /** Sessions of earlier log-ins: a message sent again keeps the one of its first sending. */
  earlierSessions: ReadonlySet<string>;
  tokenHash: string;
  tokenExpiresAt: number;
  oldTokenHash: string;
  /** Of the log-in or CONNECT; what was written then is good as long as the connection. */
  firstTokenHash: string;
  oldTokenExpiresAt: number;
  /** Tokens that were good a moment ago, so that not every message is hashed. */
  knownToken: string;
  loggerLevel: LogLevelId;
  realTimePush: 0 | 1;
  zoneId: number;
  versionNumber: string;
  mac: string;
  connNo: number;
  connectedAt: number;
  /** The reason it was kicked for, from the order until the end: it may disconnect before the hub ends the connection. */
  kickedFor?: string;
};

export type DeviceConnection = DeviceSession & {
  connection: Connection;
  /** The zone through whose broker it speaks; 0 is the hub's own listener. */
  linkZoneId: number;
  ip: string;
  transport: string;
  children: Map<string, DeviceSession>;
  /** Children whose log-in is under way: they take a place already. */
  mounting: Set<string>;
  /** When the last refusal of a message was recorded: one that repeats itself is recorded now and then. */
  refusalAt: number;
};

/** The connections of this hub, and the numbers of those that are still at the door. */
export const createPeers = () => {
  const byDevice = new Map<string, DeviceConnection>();
  const atDoor = new Map<string, { waiting: Set<number>; newest: number }>();
  /** Which gateway a child is behind. */
  const gateways = new Map<string, DeviceConnection>();

  return {
    get: (deviceId: string): DeviceConnection | undefined => byDevice.get(deviceId),
    gatewayOf: (childId: string): DeviceConnection | undefined => gateways.get(childId),
    all: (): IterableIterator<DeviceConnection> => byDevice.values(),

    knock(deviceId: string, connNo: number): void {
      const door = atDoor.get(deviceId) ?? { waiting: new Set(), newest: connNo };
      door.waiting.add(connNo);
      door.newest = Math.max(door.newest, connNo);
      atDoor.set(deviceId, door);
    },
    removePending(deviceId: string, connNo: number): void {
      const door = atDoor.get(deviceId);
      door?.waiting.delete(connNo);
      if (door?.waiting.size === 0) atDoor.delete(deviceId);
    },
    /** A newer connection of the device has knocked while this one was judged, and may have come and gone by now. */
    isSuperseded: (deviceId: string, knocked: number, connNo: number): boolean =>
      (atDoor.get(deviceId)?.newest ?? 0) > knocked || (byDevice.get(deviceId)?.connNo ?? 0) > connNo,

    /** The device's second connection replaces the first, which is answered to be cut. */
    enter(peer: DeviceConnection): DeviceConnection | undefined {
      const before = byDevice.get(peer.deviceId);
      byDevice.set(peer.deviceId, peer);
      return before;
    },
    leave(peer: DeviceConnection): void {
      if (byDevice.get(peer.deviceId) === peer) byDevice.delete(peer.deviceId);
      for (const childId of peer.children.keys()) if (gateways.get(childId) === peer) gateways.delete(childId);
    },

    /** A child that comes through another gateway leaves the first. */
    mount(peer: DeviceConnection, child: DeviceSession): void {
      gateways.get(child.deviceId)?.children.delete(child.deviceId);
      gateways.set(child.deviceId, peer);
      peer.children.set(child.deviceId, child);
    },
    unmount(childId: string): DeviceSession | undefined {
      const peer = gateways.get(childId);
      const child = peer?.children.get(childId);
      peer?.children.delete(childId);
      gateways.delete(childId);
      return child;
    },
  };
};

export type ConnectionRegistry = ReturnType<typeof createPeers>;
