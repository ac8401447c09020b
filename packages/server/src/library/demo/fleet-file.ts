import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { newSecret } from '../../platform/ids.ts';
import type { Condition } from './company.ts';
import type { PlannedDevice } from './plan.ts';
import type { CreatedProducts } from './rows.ts';

const DEMO_FILE = 'demo.json';

/** Seconds between two messages. */
const REPORT_EVERY_S = 60;
const LIVELY_REPORT_EVERY_S = 5;

/** Devices that the fleet simulates; the others are offline, or were never connected. */
const isSimulated = ({ kind }: Condition): boolean => kind !== 'offline' && kind !== 'never';

const troubles = ['slow', 'breaksModel', 'flapping'] as const;
const troubleOf = ({ kind }: Condition) => troubles.find((one) => one === kind) ?? null;

const bodyOf = (device: PlannedDevice, products: CreatedProducts) => ({
  deviceId: device.deviceId,
  productId: products.get(device.product)?.productId ?? '',
  secret: device.condition.kind === 'wrongSecret' ? newSecret() : device.secret,
  mac: device.mac,
  versionNumber: device.versionNumber,
  curveContext: { seed: device.seed, offsetHours: device.company.offsetHours },
  everyS: device.condition.kind === 'lively' ? LIVELY_REPORT_EVERY_S : REPORT_EVERY_S,
  trouble: troubleOf(device.condition),
});

/** Removes the file, which ends the fleet, and the file with its installed versions, also if no fleet is running. */
export const removeFleetFile = (dataDir: string): void => {
  for (const name of [DEMO_FILE, `${DEMO_FILE}.versions`]) rmSync(join(dataDir, name), { force: true });
};

/**
 * Writes the credentials and profiles that the fleet simulator needs. The file is in DATA_DIR, readable by the hub's
 * user only, like the hub's key. The fleet runs while the file exists.
 */
export const writeFleetFile = (dataDir: string, devices: PlannedDevice[], products: CreatedProducts): void => {
  const simulated = devices.filter(({ condition }) => isSimulated(condition));
  const kinds = [...products].map(([{ curves, defaults, logs }, { productId, sampleEvents }]) => ({
    productId,
    curves,
    defaults,
    logs,
    sampleEvents,
  }));
  const bodies = simulated
    .filter(({ parent }) => parent === null)
    .map((device) => ({
      ...bodyOf(device, products),
      children: simulated.filter(({ parent }) => parent === device).map((child) => bodyOf(child, products)),
    }));
  const file = join(dataDir, DEMO_FILE);
  // Removed first: the mode applies only to a new file.
  removeFleetFile(dataDir);
  writeFileSync(file, JSON.stringify({ products: kinds, devices: bodies }), { mode: 0o600 });
};
