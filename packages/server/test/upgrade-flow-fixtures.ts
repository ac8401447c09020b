import { randomBytes } from 'node:crypto';
import type { UpgradeOrder } from '@device-center/contract';
import { afterAll, afterEach, beforeAll } from 'vitest';
import { createProductFixture, type ProductFixture } from './device-fixtures.ts';
import type { Hub } from './hub.ts';
import { sharedHub } from './in-process-hub.ts';
import {
  createTestSigner,
  type FileServer,
  orderOf,
  serveBytes,
  startFileServer,
  startUpgradable,
  type UpgradableOptions,
} from './upgrade-fixtures.ts';

type Stoppable = { stop: () => unknown };

/**
 * For all tests of a file: a hub with a product, and a file server with one signed firmware. After each test its
 * devices are stopped, the firmware is served normally again, and the recorded requests are cleared.
 */
export const createUpgradeFixture = <Started extends Hub = Hub>(
  firmwareSize: number,
  start: () => Promise<Started> = sharedHub as () => Promise<Hub> as () => Promise<Started>,
) => {
  const maker = createTestSigner();
  const firmware = randomBytes(firmwareSize);
  const running: Stoppable[] = [];
  let hub: Started;
  let shop: ProductFixture;
  let files: FileServer;
  beforeAll(async () => {
    hub = await start();
    shop = await createProductFixture(hub);
    files = await startFileServer(maker, serveBytes(firmware));
  });
  afterEach(async () => {
    await Promise.all(running.splice(0).map((one) => one.stop()));
    files.serve = serveBytes(firmware);
    files.requests.length = 0;
  });
  afterAll(async () => {
    await files.close();
    await hub.close();
  });

  const stopAfterTest = <Runner extends Stoppable>(runner: Runner): Runner => {
    running.push(runner);
    return runner;
  };
  return {
    maker,
    firmware,
    /** Available from the first test on. */
    get hub(): Started {
      return hub;
    },
    get shop(): ProductFixture {
      return shop;
    },
    get files(): FileServer {
      return files;
    },
    stopAfterTest,
    upgradable: async (more: UpgradableOptions = {}) => {
      const started = await startUpgradable(hub, shop, files, more);
      stopAfterTest(started.device);
      return started;
    },
    orderTo: (
      versionNumber: string,
      { productId = shop.productId, bytes = firmware }: { productId?: string; bytes?: Uint8Array } = {},
    ): UpgradeOrder => orderOf(maker, bytes, { productId, versionNumber }, files.url),
  };
};
