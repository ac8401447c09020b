import { createDevice, type Device, type DeviceClient } from '@device-center/device-sdk';
import { expect } from 'vitest';
import { createProductFixture, type ProductFixture } from '../device-fixtures.ts';
import { unique } from '../hub.ts';
import type { ClockHub } from './clock-hub.ts';

/** A sender, with the number of sent and the list of acknowledged messages. */
type Sender = { speaker: DeviceClient; isOnline: () => boolean; sentCount: number; acknowledged: string[] };

export type Fleet = {
  tenancyId: string;
  deviceIds: string[];
  devices: Device[];
  senders: Sender[];
};

/** Messages in flight. */
const WINDOW = 4;

const senderOf = (speaker: DeviceClient & { readonly online: boolean }): Sender => ({
  speaker,
  isOnline: () => speaker.online,
  sentCount: 0,
  acknowledged: [],
});

/** Lamps and a gateway with children, of one tenant, on the hub's clock. */
export const startFleet = async (moved: ClockHub, lamps: number, childrenCount: number): Promise<Fleet> => {
  const { hub, now } = moved;
  const tenancyId = await hub.create.tenancy();
  const product = (nodeType: 1 | 2 | 3): Promise<ProductFixture> => createProductFixture(hub, { nodeType }, tenancyId);
  const [lamp, gateway, child] = [await product(1), await product(2), await product(3)];
  const identity = ({ productId, productSecret }: ProductFixture) => ({
    productId,
    productSecret,
    deviceId: unique('d'),
  });
  const created = [...Array.from({ length: lamps }, () => lamp), gateway].map((of) =>
    createDevice({ hubUrl: hub.url, now, backoff: { first: 50, max: 500 }, ...identity(of) }),
  );
  await Promise.all(created.map((device) => device.start()));
  const children = Array.from({ length: childrenCount }, () => created.at(-1)?.addChild(identity(child)));
  const senders = [...created, ...children.flatMap((speaker) => speaker ?? [])].map(senderOf);
  return { tenancyId, devices: created, senders, deviceIds: senders.map(({ speaker }) => speaker.deviceId) };
};

export const allOnline = (fleets: Fleet[]) =>
  expect
    .poll(() => fleets.flatMap(({ senders }) => senders).filter((sender) => !sender.isOnline()).length, {
      timeout: 60_000,
      interval: 50,
    })
    .toBe(0);

/** Sends an identifiable message, and sometimes others. */
const sendNext = async (sender: Sender): Promise<void> => {
  const { speaker } = sender;
  const serial = `${speaker.deviceId} ${++sender.sentCount}`;
  const others =
    sender.sentCount % 3 === 0
      ? [speaker.report({ brightness: (sender.sentCount % 100) + 1 }), speaker.event('lampFault', { reason: 'heat' })]
      : [];
  await Promise.all([...others, speaker.transparent(new TextEncoder().encode(serial))]);
  sender.acknowledged.push(serial);
};

/**
 * All senders publish until `isOver`. Returns a promise that settles when all messages in flight have been
 * acknowledged, by this run of the hub or the next.
 */
export const publishUntil = (fleets: Fleet[], isOver: () => boolean, onAcknowledged: () => void): Promise<unknown> => {
  const chain = async (sender: Sender): Promise<void> => {
    while (!isOver()) {
      await sendNext(sender);
      onAcknowledged();
    }
  };
  const senders = fleets.flatMap((fleet) => fleet.senders);
  return Promise.all(senders.flatMap((sender) => Array.from({ length: WINDOW }, () => chain(sender))));
};
