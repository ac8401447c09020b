import { copyFileSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { homeCalls } from '@device-center/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { connectNewDevice, createProductFixture, type ProductFixture } from './device-fixtures.ts';
import { prepareEnvironment } from './environment.ts';
import { type InProcessHub, startHub } from './in-process-hub.ts';

/** SQLite only: PostgreSQL finds damage of its own WAL by itself. */
let hub: InProcessHub;
let place: ProductFixture;
let folder: string;

beforeAll(async () => {
  hub = await startHub({}, prepareEnvironment(null));
  place = await createProductFixture(hub);
  folder = mkdtempSync(join(tmpdir(), 'device-center-'));
});
afterAll(async () => {
  await hub.close();
  rmSync(folder, { recursive: true, force: true });
});

const dataFile = (name: string): string => join(hub.env.DATA_DIR ?? '', name);

/** Of one device, each acknowledged. */
const report = async (messages: number): Promise<string> => {
  const device = await connectNewDevice(hub, place);
  for (let count = 0; count < messages; count++)
    await device.send({ type: 6, payload: { logs: [{ level: 5, time: Date.now(), log: `${count}` }] } });
  await device.end();
  return device.deviceId;
};

const countIn = (file: string, deviceId: string): number => {
  const database = new DatabaseSync(file, { readOnly: true });
  try {
    const row = database.prepare('select count(*) as n from message_record where device_id = ? and message_type = 6');
    return (row.get(deviceId) as { n: number }).n;
  } finally {
    database.close();
  }
};

const lostInMetrics = async (): Promise<string | undefined> =>
  /^device_messages_lost (.*)/m.exec(await (await fetch(`${hub.url}/metrics`)).text())?.[1];

describe('the record database', () => {
  it('checkpoints soon after the last message', async () => {
    const deviceId = await report(5);
    const copy = join(folder, 'without-wal.db');
    await expect
      .poll(
        () => {
          copyFileSync(dataFile('records.db'), copy);
          return countIn(copy, deviceId);
        },
        { timeout: 20_000 },
      )
      .toBe(5);
  });

  it('reports nothing after a normal start', async () => {
    await report(3);
    await hub.process.stop();
    hub = await hub.start();
    expect(hub.process.errors()).not.toContain('acknowledged messages are missing');
    await expect.poll(lostInMetrics, { timeout: 20_000 }).toBe('0');
  });

  it('reports the number of missing acknowledged messages: in the log, the metrics and on the home page', async () => {
    await hub.process.stop();
    copyFileSync(dataFile('records.db'), join(folder, 'before.db'));
    hub = await hub.start();
    const stored = () => Number(readFileSync(dataFile('records.stored'), 'utf8'));
    const before = stored();
    await report(7);
    await hub.process.stop();
    const lost = stored() - before;
    expect(lost).toBeGreaterThanOrEqual(7);
    copyFileSync(join(folder, 'before.db'), dataFile('records.db'));
    hub = await hub.start();

    expect(hub.process.errors()).toContain(`${lost} acknowledged messages are missing from the records`);
    expect(await hub.admin.ok(homeCalls.getAttentionList, {})).toContainEqual(
      expect.objectContaining({ kind: 'lostMessages', count: lost }),
    );
    const watcher = await hub.create.user({ tenancyId: await hub.create.tenancy(), menus: [1] });
    expect(await watcher.ok(homeCalls.getAttentionList, {})).not.toContainEqual(
      expect.objectContaining({ kind: 'lostMessages' }),
    );
    await expect.poll(lostInMetrics, { timeout: 20_000 }).toBe(String(lost));

    // Reported once: the next start compares with the last one.
    await hub.process.stop();
    hub = await hub.start();
    expect(hub.process.errors()).not.toContain('acknowledged messages are missing');
  });
});
