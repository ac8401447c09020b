import { type DeviceCodeName, deviceCodes } from '@device-center/contract';
import type { DisconnectReason } from './server-types.ts';

/** MQTT 5 §2.4: the reason codes that the server uses. */
export const ReasonCode = {
  success: 0x00,
  disconnectWithWill: 0x04,
  noSubscriptionExisted: 0x11,
  unspecifiedError: 0x80,
  malformedPacket: 0x81,
  protocolError: 0x82,
  unsupportedProtocolVersion: 0x84,
  clientIdNotValid: 0x85,
  badUserNameOrPassword: 0x86,
  notAuthorized: 0x87,
  serverUnavailable: 0x88,
  serverShuttingDown: 0x8b,
  badAuthenticationMethod: 0x8c,
  keepAliveTimeout: 0x8d,
  sessionTakenOver: 0x8e,
  topicFilterInvalid: 0x8f,
  topicNameInvalid: 0x90,
  packetIdNotFound: 0x92,
  topicAliasInvalid: 0x94,
  packetTooLarge: 0x95,
  quotaExceeded: 0x97,
  administrativeAction: 0x98,
  sharedSubscriptionsNotSupported: 0x9e,
  maximumConnectTime: 0xa0,
  subscriptionIdentifiersNotSupported: 0xa1,
  wildcardSubscriptionsNotSupported: 0xa2,
} as const;

/** MQTT 3.1.1 §3.2.2.3. */
export const ReturnCode = {
  accepted: 0,
  unacceptableProtocolVersion: 1,
  identifierRejected: 2,
  serverUnavailable: 3,
  badUserNameOrPassword: 4,
  notAuthorized: 5,
} as const;

/** A rejected CONNECT: return code for 3.1.1, reason code and reason string for 5. */
export type ConnectError = { returnCode: number; reasonCode: number; reasonString: string };

const codesOf = (number: number): Omit<ConnectError, 'reasonString'> => {
  switch (Math.floor(number / 100)) {
    case 401:
      return { returnCode: ReturnCode.badUserNameOrPassword, reasonCode: ReasonCode.badUserNameOrPassword };
    case 429:
      return { returnCode: ReturnCode.serverUnavailable, reasonCode: ReasonCode.quotaExceeded };
    case 500:
    case 503:
      return { returnCode: ReturnCode.serverUnavailable, reasonCode: ReasonCode.serverUnavailable };
    default:
      return { returnCode: ReturnCode.notAuthorized, reasonCode: ReasonCode.notAuthorized };
  }
};

export const connectErrorOf = (cause: DeviceCodeName): ConnectError => {
  const { number, en_US } = deviceCodes[cause];
  return { ...codesOf(number), reasonString: `${cause}: ${en_US}` };
};

type DisconnectPacket = { reasonCode: number; reasonString: string };

/** The DISCONNECT sent to an MQTT 5 client; null when the client disconnected or the connection is lost. */
export const disconnectPackets: Record<DisconnectReason, DisconnectPacket | null> = {
  byDevice: null,
  lost: null,
  keepAlive: { reasonCode: ReasonCode.keepAliveTimeout, reasonString: 'Keep-alive timeout' },
  replaced: { reasonCode: ReasonCode.sessionTakenOver, reasonString: 'Replaced by a newer connection of the device' },
  kicked: { reasonCode: ReasonCode.administrativeAction, reasonString: 'The device was kicked offline' },
  blacklisted: { reasonCode: ReasonCode.administrativeAction, reasonString: 'The device is on the blacklist' },
  tokenExpired: { reasonCode: ReasonCode.maximumConnectTime, reasonString: 'The token has expired' },
  applicationDisabled: { reasonCode: ReasonCode.administrativeAction, reasonString: 'The application is disabled' },
  tenancyClosed: { reasonCode: ReasonCode.administrativeAction, reasonString: 'The tenant is disabled' },
  deleted: { reasonCode: ReasonCode.administrativeAction, reasonString: 'The device was deleted' },
  secretReset: { reasonCode: ReasonCode.administrativeAction, reasonString: 'The device secret was reset' },
  moved: {
    reasonCode: ReasonCode.administrativeAction,
    reasonString: 'The device must reconnect in its availability zone: request the bucket again',
  },
  protocolError: { reasonCode: ReasonCode.protocolError, reasonString: 'Protocol error' },
  tooSlow: { reasonCode: ReasonCode.quotaExceeded, reasonString: 'The client does not read the messages sent to it' },
  hubStopped: { reasonCode: ReasonCode.serverShuttingDown, reasonString: 'The hub is stopping' },
};
