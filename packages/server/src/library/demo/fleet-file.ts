import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { newSecret } from '../../platform/ids.ts';
import type { Condition } from './company.ts';
import type { PlannedDevice } from './plan.ts';
import type { CreatedProducts } from './rows.ts';

const DEMO_FILE = 'demo.json';

/** Seconds between two messages. */
const EVERY_S = 60;
const LIVELY_EVERY_S = 5;

/** Whoever has a body today; the others are away, or were never there. */
const isAbout = ({ kind }: Condition): boolean => kind !== 'offline' && kind !== 'never';

const troubles = ['slow', 'breaksModel', 'flapping'] as const;
const troubleOf = ({ kind }: Condition) => troubles.find((one) => one === kind) ?? null;

const bodyOf = (device: PlannedDevice, products: CreatedProducts) => ({
  deviceId: device.deviceId,
  productId: products.get(device.product)?.productId ?? '',
  secret: device.condition.kind === 'wrongSecret' ? newSecret() : device.secret,
  mac: device.mac,
  versionNumber: device.versionNumber,
  curveContext: { seed: device.seed, offsetHours: device.company.offsetHours },
  everyS: device.condition.kind === 'lively' ? LIVELY_EVERY_S : EVERY_S,
  trouble: troubleOf(device.condition),
});

/** The fleet sees that it is gone, and ends; what it noted beside it goes too, also where no fleet is running. */
export const removeFleetFile = (dataDir: string): void => {
  for (const name of [DEMO_FILE, `${DEMO_FILE}.versions`]) rmSync(join(dataDir, name), { force: true });
};

/**
 * What the program of the fleet needs to be the devices: it lies in DATA_DIR, readable by the hub's user alone, as the
 * hub's own key does. While it is there the fleet lives.
 */
export const writeFleetFile = (dataDir: string, devices: PlannedDevice[], products: CreatedProducts): void => {
  const about = devices.filter(({ condition }) => isAbout(condition));
  const kinds = [...products].map(([{ curves, defaults, logs }, { productId, sampleEvents }]) => ({
    productId,
    curves,
    defaults,
    logs,
    sampleEvents,
  }));
  const bodies = about
    .filter(({ parent }) => parent === null)
    .map((device) => ({
      ...bodyOf(device, products),
      children: about.filter(({ parent }) => parent === device).map((child) => bodyOf(child, products)),
    }));
  const file = join(dataDir, DEMO_FILE);
  // Made anew: the mode is given only to a file that is not there yet.
  removeFleetFile(dataDir);
  writeFileSync(file, JSON.stringify({ products: kinds, devices: bodies }), { mode: 0o600 });
};
