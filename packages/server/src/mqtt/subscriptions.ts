import { ProtocolError } from './protocol-error.ts';
import type { SubscribePacket, Subscription } from './read-packets.ts';
import { ReasonCode } from './reason-codes.ts';
import type { ProtocolVersion } from './server-types.ts';

const SHARED = '$share/';
/** MQTT 3.1.1 §3.9.3. */
const FAILURE = 0x80;
/** The hub sends with QoS 1. */
const QOS_MAX = 1;

/** MQTT 3.1.1 §4.7.1: a wildcard fills a level alone, and # is the last. */
const isWellFormed = (filter: string): boolean =>
  filter
    .split('/')
    .every((level, place, all) => (level === '#' ? place === all.length - 1 : level === '+' || !/[#+]/.test(level)));

const refusalCode = (filter: string): number => {
  if (!isWellFormed(filter)) return ReasonCode.topicFilterInvalid;
  if (filter.startsWith(SHARED)) return ReasonCode.sharedSubscriptionsNotSupported;
  if (/[#+]/.test(filter)) return ReasonCode.wildcardSubscriptionsNotSupported;
  return ReasonCode.notAuthorized;
};

const answerTo = (subscription: Subscription, downTopic: string, version: ProtocolVersion): number => {
  if (subscription.filter === downTopic) return Math.min(subscription.qos, QOS_MAX);
  if (version === 4) return FAILURE;
  if (subscription.noLocal && subscription.filter.startsWith(SHARED))
    throw new ProtocolError('No Local on a shared subscription', '3.8.3', '3.8.3.1', ReasonCode.protocolError);
  return refusalCode(subscription.filter);
};

/** The codes of a SUBACK: a device may subscribe its own down topic and nothing else. */
export const answerSubscriptions = (packet: SubscribePacket, downTopic: string, version: ProtocolVersion): number[] =>
  packet.subscriptions.map((subscription) =>
    packet.hasIdentifier ? ReasonCode.subscriptionIdentifiersNotSupported : answerTo(subscription, downTopic, version),
  );

/** The codes of an UNSUBACK. The hub subscribes the down topic by itself, so there is always something to end. */
export const answerUnsubscriptions = (filters: string[], downTopic: string): number[] =>
  filters.map((filter) => (filter === downTopic ? ReasonCode.success : ReasonCode.noSubscriptionExisted));
