import { setTimeout as pause } from 'node:timers/promises';
import { applicationCalls, controlCalls, type Envelope } from '@device-center/contract';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { publishAll } from './connectivity-fixtures.ts';
import { connectAndWaitOnline, createProductFixture, type ProductFixture } from './device-fixtures.ts';
import { describeOnPostgres } from './engine.ts';
import type { Hub } from './hub.ts';
import { startHub } from './in-process-hub.ts';
import { waitFor } from './mailbox.ts';
import type { RawDevice } from './raw-device.ts';

describeOnPostgres(() => {
  let hub: Hub;
  let fixture: ProductFixture;
  beforeAll(async () => {
    hub = await startHub();
    fixture = await createProductFixture(hub);
  });
  afterAll(() => hub.close());

  const ready = (): Promise<RawDevice> => connectAndWaitOnline(hub, fixture);

  const order = ({ deviceId }: RawDevice) =>
    hub.admin.call(controlCalls.commandDeviceFunction, {
      deviceId,
      functionId: 'power',
      functionValue: 'true',
      timeout: 20_000,
    });
  const requests = ({ received }: RawDevice): Envelope[] =>
    received.filter(({ dataFlow, type }) => dataFlow === 0 && type === 2);
  const answerOf = (device: RawDevice, { dataId }: Envelope): Envelope =>
    device.seal({ type: 2, dataFlow: 1, dataId, payload: { properties: { power: true } }, code: 200 });

  /** Runs commands while the device's row is locked; unlocks it after `meanwhile`. */
  const orderWhileHeld = (device: RawDevice, count: number, meanwhile: () => Promise<unknown>) =>
    hub.db.transaction().execute(async (db) => {
      const row = db.selectFrom('device').select('device_id').where('device_id', '=', device.deviceId);
      await row.forUpdate().execute();
      const orders = Array.from({ length: count }, () => order(device));
      await meanwhile();
      return orders;
    });
  const answerAll = async (device: RawDevice, count: number): Promise<void> => {
    await expect.poll(() => requests(device).length).toBe(count);
    for (const request of requests(device)) await device.publish(answerOf(device, request));
  };

  it('does not delay other devices by a command to a device whose row is locked', async () => {
    const device = await ready();
    const waiting = await orderWhileHeld(device, 30, async () => {
      for (let round = 0; round < 50; round++) await hub.admin.ok(applicationCalls.queryApplicationList, {});
    });
    await answerAll(device, 30);
    for (const answer of await Promise.all(waiting)) expect(answer).toMatchObject({ data: { status: 'answered' } });
    await device.end();
  });

  it('rejects commands with a retry when they wait longer than ten seconds', async () => {
    const device = await ready();
    const waiting = await orderWhileHeld(device, 4, () => pause(14_000));
    await answerAll(device, 1);
    const answers = await Promise.all(waiting);
    const told = answers.map((answer) => (answer.success ? answer.data.status : answer.code));
    expect(told.sort()).toEqual(['UNAVAILABLE', 'UNAVAILABLE', 'UNAVAILABLE', 'answered']);
    expect(requests(device)).toHaveLength(1);
    await device.end();
  }, 60_000);

  it('acknowledges a command result only after it is stored, despite a failed write', async () => {
    const device = await ready();
    const waiting = order(device);
    const request = await waitFor('the command', () => requests(device)[0]);
    const acknowledged = await hub.db.transaction().execute(async (db) => {
      const row = db.selectFrom('device_command').select('command_id').where('command_id', '=', Number(request.dataId));
      await row.forUpdate().execute();
      const told = publishAll(device, [answerOf(device, request)]);
      // Terminates the connections that wait for the row.
      await waitFor('it was cut', async () => {
        const { rows } = await sql`
        select pg_terminate_backend(pid) from pg_stat_activity
        where datname = current_database() and wait_event_type = 'Lock' and query like '%update device_command%'`.execute(
          hub.db,
        );
        return rows.length > 0 ? true : undefined;
      });
      expect(told.size).toBe(0);
      return told;
    });
    expect(await waiting).toMatchObject({ data: { status: 'answered', code: 200 } });
    await expect.poll(() => acknowledged.size).toBe(1);
    await device.end();
  }, 60_000);
});
