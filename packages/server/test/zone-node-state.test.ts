import { createServer } from 'node:http';
import { createServer as createTcpServer } from 'node:net';
import { zoneCalls } from '@device-center/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { freePort } from './broker-fixtures.ts';
import { type InProcessHub, startHub } from './in-process-hub.ts';
import { innerNode, NEAR, zoneFields } from './zone-fixtures.ts';

let hub: InProcessHub;
beforeAll(async () => {
  hub = await startHub(NEAR);
});
afterAll(() => hub.close());

describe('the state of a node', () => {
  const nodeOf = async (id: number) => {
    const { nodes, nodesDown } = await hub.admin.ok(zoneCalls.getZoneDetail, { id });
    return { ...nodes[0], nodesDown };
  };
  const PATIENT = { timeout: 20_000, interval: 50 };

  it('of a broker that disconnects is down since the first failure, across retries', async () => {
    let tried = 0;
    const broken = createTcpServer((socket) => {
      tried++;
      socket.destroy();
    }).listen(0, '127.0.0.1');
    await new Promise((resolve) => broken.once('listening', resolve));
    const { port } = broken.address() as { port: number };
    const nodes = [innerNode({ hostName: '127.0.0.1', port })];
    const { id } = await hub.admin.ok(zoneCalls.addZone, zoneFields({ nodes }) as never, { as: 'json' });
    await expect.poll(() => nodeOf(id), PATIENT).toMatchObject({ state: 'failed', problem: 'closed' });
    const { since } = await nodeOf(id);
    const before = tried;
    // Each try is two connections, of MQTT 5 and 3.1.1: the one before last has been written down.
    await expect.poll(() => tried, PATIENT).toBeGreaterThanOrEqual(before + 5);
    expect(await nodeOf(id)).toMatchObject({ state: 'failed', since });
    await hub.admin.ok(zoneCalls.removeZone, { id });
    broken.close();
  });

  it('of another platform shows its problem, since when, and its recovery', async () => {
    const check = async () => {
      await hub.db.updateTable('zone_node_check').set({ checked_at: 0 }).execute();
      await hub.process.runJob('check other platforms');
    };
    const port = await freePort();
    const nodes = [{ bucketUrl: `http://127.0.0.1:${port}`, bucketZoneId: 7 }];
    const fields = zoneFields({ zoneType: 2, nodes });
    const { id } = await hub.admin.ok(zoneCalls.addZone, fields as never, { as: 'json' });
    await check();
    const down = await nodeOf(id);
    expect(down).toMatchObject({ state: 'failed', problem: 'refused', nodesDown: 1 });
    expect(down.message).toBe(`127.0.0.1:${port} refused the connection`);
    await check();
    expect(await nodeOf(id)).toMatchObject({ state: 'failed', since: down.since });
    const back = createServer((_request, reply) => reply.end('{}'));
    await new Promise<void>((resolve) => back.listen(port, '127.0.0.1', resolve));
    await check();
    expect(await nodeOf(id)).toMatchObject({ state: 'connected', problem: null, message: '', nodesDown: 0 });
    await hub.admin.ok(zoneCalls.setZoneState, { id, status: 0 });
    expect(await nodeOf(id)).toMatchObject({ state: 'unused' });
    await hub.admin.ok(zoneCalls.removeZone, { id });
    back.close();
  });
});
