import { ProtocolError } from './protocol-error.ts';
import type { SubscribePacket, Subscription } from './read-packets.ts';
import { ReasonCode } from './reason-codes.ts';
import type { ProtocolVersion } from './server-types.ts';

const SHARED = '$share/';
/** MQTT 3.1.1 §3.9.3. */
const FAILURE = 0x80;
/** The hub publishes with QoS 1 at most. */
const QOS_MAX = 1;

/** MQTT 3.1.1 §4.7.1: a wildcard occupies a whole level, and # only the last one. */
const isWellFormed = (filter: string): boolean =>
  filter
    .split('/')
    .every((level, index, levels) =>
      level === '#' ? index === levels.length - 1 : level === '+' || !/[#+]/.test(level),
    );

const rejectionCode = (filter: string): number => {
  if (!isWellFormed(filter)) return ReasonCode.topicFilterInvalid;
  if (filter.startsWith(SHARED)) return ReasonCode.sharedSubscriptionsNotSupported;
  if (/[#+]/.test(filter)) return ReasonCode.wildcardSubscriptionsNotSupported;
  return ReasonCode.notAuthorized;
};

const subackCode = (subscription: Subscription, downTopic: string, version: ProtocolVersion): number => {
  if (subscription.filter === downTopic) return Math.min(subscription.qos, QOS_MAX);
  if (version === 4) return FAILURE;
  if (subscription.noLocal && subscription.filter.startsWith(SHARED))
    throw new ProtocolError('No Local on a shared subscription', '3.8.3', '3.8.3.1', ReasonCode.protocolError);
  return rejectionCode(subscription.filter);
};

/** The codes of a SUBACK: a device may subscribe to its own downlink topic only. */
export const subackCodes = (packet: SubscribePacket, downTopic: string, version: ProtocolVersion): number[] =>
  packet.subscriptions.map((subscription) =>
    packet.hasIdentifier
      ? ReasonCode.subscriptionIdentifiersNotSupported
      : subackCode(subscription, downTopic, version),
  );

/** The codes of an UNSUBACK. The hub subscribes the device at CONNECT, so its own topic always succeeds. */
export const unsubackCodes = (filters: string[], downTopic: string): number[] =>
  filters.map((filter) => (filter === downTopic ? ReasonCode.success : ReasonCode.noSubscriptionExisted));
