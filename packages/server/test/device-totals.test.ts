import { accountCalls, applicationCalls, deviceCalls } from '@device-center/contract';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createClient } from './client.ts';
import { describeOnEachEngine, postgresServer } from './engine.ts';
import { ADMIN_PASSWORD, type Hub, type TestUser, unique } from './hub.ts';
import { startHub, startInProcessHub } from './in-process-hub.ts';

describeOnEachEngine(() => {
  /** Compares the stored totals of devices with the list. */

  type Owner = { user: TestUser; productId: string; applicationId: string; spareId: string };

  let hub: Hub;
  let owners: Owner[] = [];

  const furnish = async (): Promise<Owner> => {
    const tenancyId = await hub.create.tenancy();
    return {
      user: await hub.create.user({ tenancyId, menus: [501, 302] }),
      productId: await hub.create.product(tenancyId),
      applicationId: await hub.create.application(tenancyId),
      spareId: await hub.create.application(tenancyId),
    };
  };

  beforeAll(async () => {
    hub = await startHub();
    owners = [await furnish(), await furnish()];
  }, 60_000);
  afterAll(() => hub.close());

  type Reader = Pick<TestUser, 'ok'>;

  const expectTrue = async (reader: Reader, expected: number): Promise<void> => {
    const { total, list } = await reader.ok(deviceCalls.queryDeviceList, { pageSize: 200 });
    expect({ total, shown: list.length }).toEqual({ total: expected, shown: expected });
    const online = list.filter((row) => row.online === 1).length;
    expect(await reader.ok(deviceCalls.countDevices, {})).toEqual({
      total: expected,
      online,
      offline: expected - online,
    });
  };
  const expectAll = async (first: number, second: number): Promise<void> => {
    await expectTrue((owners[0] as Owner).user, first);
    await expectTrue((owners[1] as Owner).user, second);
    await expectTrue(hub.admin, first + second);
  };

  const register = ({ user, productId, applicationId }: Owner, count: number): Promise<string[]> => {
    const devices = Array.from({ length: count }, () => ({ deviceId: unique('total-') }));
    return user
      .ok(deviceCalls.registerDevices, { productId, applicationId, devices })
      .then(({ registered }) => registered.map(({ deviceId }) => deviceId));
  };

  it('is correct after concurrent creations and deletions', async () => {
    const [one, other] = owners as [Owner, Owner];
    const mine = (
      await Promise.all([register(one, 20), register(one, 10), ...Array.from({ length: 10 }, () => register(one, 1))])
    ).flat();
    await Promise.all([
      register(other, 7),
      one.user.ok(deviceCalls.deleteDevices, { deviceIds: mine.slice(0, 15) }),
      register(one, 5),
    ]);
    await hub.db
      .updateTable('device')
      .set({ online: 1 })
      .where('device_id', '=', mine[20] ?? '')
      .execute();
    await expectAll(30, 7);
  });

  it('does not change when nothing is added', async () => {
    const [one] = owners as [Owner];
    const [deviceId = ''] = await register(one, 1);
    const { productId, applicationId } = one;
    const answer = await one.user.ok(deviceCalls.registerDevices, {
      productId,
      applicationId,
      devices: [{ deviceId }],
    });
    expect(answer).toMatchObject({ registered: [], refused: [expect.anything()] });
    await expectAll(31, 7);
  });

  it('excludes the devices of a deleted application at once', async () => {
    const [one] = owners as [Owner];
    const { productId, spareId, user } = one;
    await register({ ...one, applicationId: spareId }, 12);
    expect((await user.ok(deviceCalls.queryDeviceList, { productId })).total).toBe(43);
    await user.ok(applicationCalls.deleteApplication, { applicationIds: [spareId] });
    await expectAll(31, 7);
  });

  it('is counted at the next start when a database has no totals yet', async () => {
    expect(await hub.process.stop()).toBe(0);
    if (postgresServer()) await sql`drop function device_total_changed cascade`.execute(hub.db);
    else for (const name of ['added', 'removed']) await sql.raw(`drop trigger device_total_${name}`).execute(hub.db);
    await sql`drop table device_total`.execute(hub.db);
    await hub.db
      .deleteFrom('device')
      .where('product_id', '=', (owners[1] as Owner).productId)
      .execute();

    const again = await startInProcessHub(hub.env);
    try {
      const login = { username: 'admin', password: ADMIN_PASSWORD };
      const { token } = await createClient(again.url).ok(accountCalls.login, login);
      await expectTrue(createClient(again.url, token), 31);
    } finally {
      await again.stop();
    }
  });
});
