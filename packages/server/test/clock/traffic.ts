import { createDevice, type Device, type DeviceClient } from '@device-center/device-sdk';
import { expect } from 'vitest';
import { createProductFixture, type ProductFixture } from '../device-fixtures.ts';
import { unique } from '../hub.ts';
import type { MovedHub } from './moved-hub.ts';

/** One voice, with what it has said and what of it was acknowledged. */
type Talker = { speaker: DeviceClient; isOnline: () => boolean; said: number; acknowledged: string[] };

export type Fleet = {
  tenancyId: string;
  deviceIds: string[];
  devices: Device[];
  talkers: Talker[];
};

/** Under way at once. */
const WINDOW = 4;

const talkerOf = (speaker: DeviceClient & { readonly online: boolean }): Talker => ({
  speaker,
  isOnline: () => speaker.online,
  said: 0,
  acknowledged: [],
});

/** Lamps, and a gateway with children, of one tenant; each on the hub's clock. */
export const startFleet = async (moved: MovedHub, lamps: number, childrenCount: number): Promise<Fleet> => {
  const { hub, now } = moved;
  const tenancyId = await hub.create.tenancy();
  const product = (nodeType: 1 | 2 | 3): Promise<ProductFixture> => createProductFixture(hub, { nodeType }, tenancyId);
  const [lamp, gateway, child] = [await product(1), await product(2), await product(3)];
  const identity = ({ productId, productSecret }: ProductFixture) => ({
    productId,
    productSecret,
    deviceId: unique('d'),
  });
  const made = [...Array.from({ length: lamps }, () => lamp), gateway].map((of) =>
    createDevice({ hubUrl: hub.url, now, backoff: { first: 50, max: 500 }, ...identity(of) }),
  );
  await Promise.all(made.map((device) => device.start()));
  const children = Array.from({ length: childrenCount }, () => made.at(-1)?.addChild(identity(child)));
  const talkers = [...made, ...children.flatMap((speaker) => speaker ?? [])].map(talkerOf);
  return { tenancyId, devices: made, talkers, deviceIds: talkers.map(({ speaker }) => speaker.deviceId) };
};

export const allOnline = (fleets: Fleet[]) =>
  expect
    .poll(() => fleets.flatMap(({ talkers }) => talkers).filter((talker) => !talker.isOnline()).length, {
      timeout: 60_000,
      interval: 50,
    })
    .toBe(0);

/** Says one thing that can be found again, and now and then others. */
const sayNext = async (talker: Talker): Promise<void> => {
  const { speaker } = talker;
  const serial = `${speaker.deviceId} ${++talker.said}`;
  const others =
    talker.said % 3 === 0
      ? [speaker.report({ brightness: (talker.said % 100) + 1 }), speaker.event('lampFault', { reason: 'heat' })]
      : [];
  await Promise.all([...others, speaker.transparent(new TextEncoder().encode(serial))]);
  talker.acknowledged.push(serial);
};

/**
 * Everybody talks until told that it is over; what is under way then stays under way. Answers what settles when all of
 * it has been acknowledged, in this life of the hub or the next.
 */
export const talk = (fleets: Fleet[], isOver: () => boolean, onAcknowledged: () => void): Promise<unknown> => {
  const chain = async (talker: Talker): Promise<void> => {
    while (!isOver()) {
      await sayNext(talker);
      onAcknowledged();
    }
  };
  const talkers = fleets.flatMap((fleet) => fleet.talkers);
  return Promise.all(talkers.flatMap((talker) => Array.from({ length: WINDOW }, () => chain(talker))));
};
