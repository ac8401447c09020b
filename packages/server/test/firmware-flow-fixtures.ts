import { afterAll, beforeAll } from 'vitest';
import type { Hub, TestUser } from './hub.ts';
import { sharedHub } from './in-process-hub.ts';

/** For all tests of a file: a hub, a user who may manage versions, the user's product, and a user of another tenant. */
export const createFirmwareFixture = (start: () => Promise<Hub> = sharedHub) => {
  let hub: Hub;
  let user: TestUser;
  let other: TestUser;
  let productId: string;
  beforeAll(async () => {
    hub = await start();
    user = await hub.create.user({ tenancyId: await hub.create.tenancy(), menus: [601] });
    other = await hub.create.user({ tenancyId: await hub.create.tenancy(), menus: [601, 502] });
    productId = await hub.create.product(user.tenancyId);
  });
  afterAll(() => hub.close());
  return {
    /** Available from the first test on. */
    get hub(): Hub {
      return hub;
    },
    get user(): TestUser {
      return user;
    },
    get other(): TestUser {
      return other;
    },
    /** The user's product. */
    get productId(): string {
      return productId;
    },
    get product(): { productId: string; tenancyId: string } {
      return { productId, tenancyId: user.tenancyId };
    },
    /** Starts the stopped hub again on the same data. */
    restart: async (): Promise<void> => {
      hub = await hub.start();
    },
  };
};
