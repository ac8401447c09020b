import { type DeviceCodeName, deviceCodes } from '@device-center/contract';
import type { DisconnectReason } from './server-types.ts';

/** MQTT 5 §2.4: the reason codes that the gateway uses. */
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

/** How a CONNECT is refused: a code for each version, and words for MQTT 5. */
export type ConnectRefusal = { returnCode: number; reasonCode: number; words: string };

const codesOf = (number: number): Omit<ConnectRefusal, 'words'> => {
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

export const refusalOf = (cause: DeviceCodeName): ConnectRefusal => {
  const { number, en_US } = deviceCodes[cause];
  return { ...codesOf(number), words: `${cause}: ${en_US}` };
};

type Farewell = { reasonCode: number; words: string };

/** What an MQTT 5 client is told at the end; nothing where it is gone or said goodbye itself. */
export const disconnectPackets: Record<DisconnectReason, Farewell | null> = {
  byDevice: null,
  lost: null,
  keepAlive: { reasonCode: ReasonCode.keepAliveTimeout, words: 'Nothing was heard within the keep-alive' },
  replaced: { reasonCode: ReasonCode.sessionTakenOver, words: 'The device connected again elsewhere' },
  kicked: { reasonCode: ReasonCode.administrativeAction, words: 'The device was kicked offline' },
  blacklisted: { reasonCode: ReasonCode.administrativeAction, words: 'The device is on the blacklist' },
  tokenExpired: { reasonCode: ReasonCode.maximumConnectTime, words: 'The token has expired' },
  applicationDisabled: { reasonCode: ReasonCode.administrativeAction, words: 'The application is disabled' },
  tenancyClosed: { reasonCode: ReasonCode.administrativeAction, words: 'The tenant is closed' },
  deleted: { reasonCode: ReasonCode.administrativeAction, words: 'The device was deleted' },
  secretReset: { reasonCode: ReasonCode.administrativeAction, words: "The device's secret was made anew" },
  moved: {
    reasonCode: ReasonCode.administrativeAction,
    words: 'The device shall connect in its zone: ask for the bucket',
  },
  protocolError: { reasonCode: ReasonCode.protocolError, words: 'The protocol was broken' },
  tooSlow: { reasonCode: ReasonCode.quotaExceeded, words: 'The client does not take what is sent' },
  hubStopped: { reasonCode: ReasonCode.serverShuttingDown, words: 'The hub is stopping' },
};
