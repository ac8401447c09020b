/** Upgradable devices in a separate process: their downloads would slow down the browser tests. */
import type { MockUpgradeFault } from '@device-center/contract';
import type { ProductFixture } from '../packages/server/test/device-fixtures.ts';
import type { Hub } from '../packages/server/test/hub.ts';
import { type FleetMember, startFleet } from '../packages/server/test/ota-fixtures.ts';

export type FleetOrder =
  | { do: 'start'; url: string; shop: ProductFixture; faults: MockUpgradeFault[] }
  | { do: 'mend' }
  | { do: 'tell' }
  | { do: 'stop' };
export type FleetAnswer = { ids: string[]; installed: string[][] };

let fleet: FleetMember[] = [];

const answer = (): void => {
  const told: FleetAnswer = {
    ids: fleet.map(({ deviceId }) => deviceId),
    installed: fleet.map(({ installed }) => installed),
  };
  process.send?.(told);
};

const carryOut = async (order: FleetOrder): Promise<void> => {
  if (order.do === 'start') fleet = await startFleet({ url: order.url } as Hub, order.shop, order.faults);
  if (order.do === 'mend') for (const member of fleet) member.fault.now = '';
  if (order.do === 'stop') await Promise.all(fleet.map(({ device }) => device.stop()));
  answer();
};

process.on('message', (order: FleetOrder) => {
  carryOut(order).catch((error: unknown) => {
    console.error(error);
    process.exit(1);
  });
});
process.on('disconnect', () => process.exit(0));
