import { auditCalls, deviceCalls, zoneCalls } from '@device-center/contract';
import { beforeAll, describe, expect, it } from 'vitest';
import { describeOnEachEngine } from './engine.ts';
import { type Hub, unique } from './hub.ts';
import { sharedHub } from './in-process-hub.ts';
import { createDeviceIn, innerNode, outerNode, sendParts, zoneFields } from './zone-fixtures.ts';

let hub: Hub;

const setUp = (): void =>
  beforeAll(async () => {
    hub = await sharedHub();
  });

const add = async (more: object = {}) => (await hub.admin.ok(zoneCalls.addZone, zoneFields(more) as never)).id;
const detail = (id: number, language = 'en-US') => hub.admin.ok(zoneCalls.getZoneDetail, { id }, { language });
const modify = (id: number, more: object = {}) => hub.admin.send(zoneCalls.modifyZone, { id, ...zoneFields(more) });
const sealed = (id: number) =>
  hub.db
    .selectFrom('zone_node')
    .select(['node_id', 'password_sealed'])
    .where('zone_id', '=', id)
    .orderBy('node_index')
    .execute();

/** The hub has no connection to an HTTP node: no hub reports a state of it. */
const NOT_KEPT = JSON.stringify([innerNode({ serverType: 2 })]);

describeOnEachEngine(() => {
  setUp();
  describe('a zone', () => {
    it('has a unique name, ignoring case', async () => {
      const fields = zoneFields();
      await hub.admin.ok(zoneCalls.addZone, fields as never);
      const again = { ...fields, zoneName: fields.zoneName.toUpperCase() };
      expect(await hub.admin.send(zoneCalls.addZone, again)).toMatchObject({
        code: 'ZONE_NAME_TAKEN',
        details: [{ field: 'zoneName' }],
      });
      const other = await add();
      expect(await modify(other, { zoneName: fields.zoneName })).toMatchObject({ code: 'ZONE_NAME_TAKEN' });
    });

    // Spec 7.111, 7.113
    it('has an id that is never reused', async () => {
      const first = await add();
      await hub.admin.ok(zoneCalls.removeZone, { id: first });
      expect(await add()).toBeGreaterThan(first);
      expect(await hub.admin.send(zoneCalls.getZoneDetail, { id: first })).toMatchObject({ code: 'ZONE_NOT_FOUND' });
      expect(await hub.admin.send(zoneCalls.removeZone, { id: first })).toMatchObject({ code: 'ZONE_NOT_FOUND' });
    });
  });

  describe('modifyZone', () => {
    // Spec 7.115
    it('keeps the secrets of existing nodes in any order, and removes them on request', async () => {
      const { password: _unsent, ...quiet } = innerNode();
      const id = await add({ nodes: JSON.stringify([innerNode({ hostName: 'b1' }), innerNode({ hostName: 'b2' })]) });
      const [one, two] = await sealed(id);
      const nodes = [
        { ...quiet, nodeId: two?.node_id, hostName: 'b2' },
        { ...quiet, nodeId: one?.node_id, hostName: 'b1', password: '' },
      ];
      expect(await modify(id, { nodes: JSON.stringify(nodes) })).toMatchObject({ success: true });
      expect(await sealed(id)).toEqual([two, { node_id: one?.node_id, password_sealed: '' }]);
      const { revision } = await hub.db
        .selectFrom('zone')
        .select('revision')
        .where('zone_id', '=', id)
        .executeTakeFirstOrThrow();
      expect(revision).toBe(2);
    });
  });

  describe('the zone list', () => {
    // Spec 7.110
    it('is complete for users who manage zones, and has only names for others', async () => {
      const zoneName = unique('Listed ');
      const id = await add({ zoneName, nodes: NOT_KEPT });
      await createDeviceIn(hub, id);
      const { list } = await hub.admin.ok(zoneCalls.queryZoneList, { zoneName });
      expect(list).toMatchObject([{ id, nums: 1, deviceCount: 1, nodesDown: 0, routeKey: 'plant/a', builtin: 0 }]);
      const placing = await hub.create.user({ tenancyId: '1', menus: [501] });
      expect((await placing.ok(zoneCalls.queryZoneList, { zoneName })).list).toEqual([{ id, zoneName, status: 1 }]);
      expect(await placing.send(zoneCalls.getZoneDetail, { id })).toMatchObject({ code: 'FORBIDDEN' });
    });

    it('shows only enabled inner zones to tenants', async () => {
      const word = unique('Shown');
      const [id, closedId] = [await add({ zoneName: `${word} 1` }), await add({ zoneName: `${word} 2` })];
      await add({ zoneName: `${word} 3`, zoneType: 2, nodes: JSON.stringify([outerNode()]) });
      await hub.admin.ok(zoneCalls.setZoneState, { id: closedId, status: 0 });
      const tenant = await hub.create.user({ tenancyId: await hub.create.tenancy(), menus: [501] });
      const { list } = await tenant.ok(zoneCalls.queryZoneList, { zoneName: word });
      expect(list).toEqual([{ id, zoneName: `${word} 1`, status: 1 }]);
    });
  });

  describe('the state of a node', () => {
    it('is the worst that the running hubs report, in the reader’s language', async () => {
      const id = await add({ nodes: NOT_KEPT });
      const [node] = (await detail(id)).nodes;
      const nodeId = node?.nodeId ?? '';
      const { hub_no } = await hub.db.selectFrom('hub_instance').select('hub_no').executeTakeFirstOrThrow();
      const link = { node_id: nodeId, problem: '', detail: '', since: Date.now() };
      const failed = { problem: 'nameNotFound', detail: JSON.stringify({ host: 'broker.example.com' }) };
      await hub.db
        .insertInto('zone_link')
        // No running hub has this number.
        .values({ ...link, ...failed, hub_no: 1_000_000, state: 'failed' })
        .execute();
      expect((await detail(id)).nodes).toMatchObject([{ state: 'unused', problem: null, message: '' }]);
      await hub.db
        .insertInto('zone_link')
        .values({ ...link, hub_no, state: 'connected' })
        .execute();
      expect((await detail(id)).nodes).toMatchObject([{ state: 'connected', problem: null, message: '' }]);
      await hub.db
        .updateTable('zone_link')
        .set({ ...failed, state: 'failed' })
        .where('hub_no', '=', hub_no)
        .execute();
      expect(await detail(id, 'zh-CN')).toMatchObject({
        nodesDown: 1,
        nodes: [{ state: 'failed', problem: 'nameNotFound', message: '找不到主机名 broker.example.com' }],
      });
      expect((await detail(id)).nodes[0]?.message).toBe('Host name broker.example.com not found');
    });
  });
});

describe('a zone', () => {
  setUp();
  // Spec 1.14, 3.144, 4.8, 7.112
  it('is created with its nodes, and never returns their secrets', async () => {
    const fields = zoneFields({
      nodes: JSON.stringify([
        innerNode({ hostName: 'mqtts://b1.example.com:8884' }),
        innerNode({ hostName: 'front.example.com', port: 443, serverType: 2, username: '', password: '', tls: 1 }),
      ]),
    });
    const { id } = await hub.admin.ok(zoneCalls.addZone, fields as never);
    const zone = await detail(id);
    expect(zone).toMatchObject({
      ...{ zoneName: fields.zoneName, zoneType: 1, status: 1, nums: 2, deviceCount: 0, builtin: 0 },
      topics: {
        up: 'plant/a/{tenancyId}/{productId}/{deviceId}/up',
        down: 'plant/a/{tenancyId}/{productId}/{deviceId}/down',
      },
      nodes: [
        { index: 0, hostName: 'mqtts://b1.example.com:8884', username: 'hub', tls: 1, hasPassword: 1 },
        {
          index: 1,
          hostName: 'front.example.com',
          port: 443,
          serverType: 2,
          tls: 1,
          hasPassword: 0,
          certificate: null,
        },
      ],
    });
    expect(JSON.stringify(zone)).not.toContain('Broker-pass1');
    const stored = await hub.db.selectFrom('zone_node').selectAll().where('zone_id', '=', id).execute();
    expect(JSON.stringify(stored)).not.toContain('Broker-pass1');
  });

  // Spec 7.7, 7.112
  it('is accepted as JSON and as multipart', async () => {
    const json = await hub.admin.send(zoneCalls.addZone, zoneFields({ nodes: [innerNode()] }), { as: 'json' });
    expect(json).toMatchObject({ success: true });
    expect(await sendParts(hub.admin, zoneCalls.addZone, zoneFields())).toMatchObject({ success: true });
  });

  // Spec 5.38, 5.41, 5.46
  it('reports an invalid node at its field', async () => {
    const wrong = [
      [[innerNode(), innerNode({ hostName: '' })], 'nodes[1].hostName'],
      [[innerNode({ port: 70_000 })], 'nodes[0].port'],
      [[innerNode({ password: 'short' })], 'nodes[0].password'],
      [[innerNode({ username: '账号' })], 'nodes[0].username'],
      [[innerNode({ hostName: 'file:///etc/passwd' })], 'nodes[0].hostName'],
      [[innerNode({ hostName: '0x7f000001' })], 'nodes[0].hostName'],
      [[innerNode({ hostName: 'http://broker.example.com' })], 'nodes[0].hostName'],
      [[outerNode()], 'nodes[0].hostName'],
    ] as const;
    for (const [nodes, field] of wrong) {
      const answer = await hub.admin.send(zoneCalls.addZone, zoneFields({ nodes: JSON.stringify(nodes) }));
      expect(answer, JSON.stringify(answer)).toMatchObject({ code: 'BAD_INPUT' });
      expect((answer as { details: { field: string }[] }).details.map((one) => one.field)).toContain(field);
    }
    const outer = { zoneType: 2, nodes: JSON.stringify([outerNode({ bucketZoneId: 100_000 })]) };
    expect(await hub.admin.send(zoneCalls.addZone, zoneFields(outer))).toMatchObject({
      details: [{ field: 'nodes[0].bucketZoneId' }],
    });
    expect(await hub.admin.send(zoneCalls.addZone, zoneFields({ nodes: '[]' }))).toMatchObject({
      details: [{ field: 'nodes' }],
    });
    expect(await hub.admin.send(zoneCalls.addZone, zoneFields({ address: 'a:b:c' }))).toMatchObject({
      details: [{ field: 'address' }],
    });
  });
});

describe('modifyZone', () => {
  setUp();
  it('requires stored secrets again when a node gets another address', async () => {
    const { password: _unsent, ...node } = innerNode({ hostName: 'b1' });
    const id = await add({ nodes: JSON.stringify([innerNode({ hostName: 'b1' })]) });
    const before = await sealed(id);
    const nodeId = before[0]?.node_id;
    for (const elsewhere of [{ hostName: 'b2' }, { port: 1884 }, { tls: 1 }, { serverType: 2 }]) {
      const nodes = JSON.stringify([{ ...node, nodeId, ...elsewhere }]);
      expect(await modify(id, { nodes })).toMatchObject({ statusCode: 400, details: [{ field: 'nodes[0].password' }] });
    }
    expect(await sealed(id)).toEqual(before);
    const again = JSON.stringify([{ ...node, nodeId, hostName: 'b2', password: 'Other-pass2' }]);
    expect(await modify(id, { nodes: again })).toMatchObject({ success: true });

    const apiKey = `dck_${'k'.repeat(30)}`;
    const outer = await add({ zoneType: 2, nodes: JSON.stringify([outerNode({ apiKey })]) });
    const moved = outerNode({ nodeId: (await sealed(outer))[0]?.node_id, bucketUrl: 'https://evil.example.com' });
    expect(await modify(outer, { zoneType: 2, nodes: JSON.stringify([moved]) })).toMatchObject({
      details: [{ field: 'nodes[0].apiKey' }],
    });
  });

  it("rejects another zone's node, and duplicates", async () => {
    const [id, other] = [await add(), await add()];
    const [theirs] = await sealed(other);
    const [own] = await sealed(id);
    const foreign = JSON.stringify([innerNode({ nodeId: theirs?.node_id })]);
    expect(await modify(id, { nodes: foreign })).toMatchObject({
      code: 'ZONE_NODE_NOT_FOUND',
      details: [{ field: 'nodes[0].nodeId' }],
    });
    const twice = JSON.stringify([innerNode({ nodeId: own?.node_id }), innerNode({ nodeId: own?.node_id })]);
    expect(await modify(id, { nodes: twice })).toMatchObject({ details: [{ field: 'nodes[1].nodeId' }] });
  });

  it('writes before and after into the audit log, without secrets', async () => {
    const id = await add();
    await modify(id, { routeKey: 'plant/b', nodes: JSON.stringify([innerNode({ password: 'Other-pass22' })]) });
    const { list } = await hub.admin.ok(auditCalls.queryAuditLogList, { target: String(id), action: 'modifyZone' });
    expect(list[0]).toMatchObject({ before: { routeKey: 'plant/a' }, after: { routeKey: 'plant/b' } });
    expect(JSON.stringify(list)).not.toMatch(/Broker-pass1|Other-pass22/);
  });

  // Spec 4.9
  it('rejects outer nodes for built-in zones and zones with devices', async () => {
    const outer = { zoneType: 2, nodes: JSON.stringify([outerNode()]) };
    expect(await modify(1, outer)).toMatchObject({ code: 'ZONE_BUILT_IN' });
    const id = await add();
    const { deviceId } = await createDeviceIn(hub, id);
    expect(await modify(id, outer)).toMatchObject({ code: 'ZONE_TYPE_HAS_DEVICES' });
    expect(await hub.admin.send(zoneCalls.removeZone, { id })).toMatchObject({ code: 'ZONE_HAS_DEVICES' });
    await hub.admin.ok(deviceCalls.deleteDevices, { deviceIds: [deviceId] });
    expect(await modify(id, outer)).toMatchObject({ success: true });
    expect((await detail(id)).nodes).toMatchObject([{ bucketUrl: 'https://other.example.com', bucketZoneId: 7 }]);
    await hub.admin.ok(zoneCalls.removeZone, { id });
  });

  // Spec 9.19
  it('renames a built-in zone, which keeps both its default names until then', async () => {
    const { zoneName } = await detail(2);
    expect(zoneName).toBe('HA area 2');
    expect(await modify(2, { zoneName })).toMatchObject({ success: true });
    expect((await detail(2, 'zh-CN')).zoneName).toBe('可用区 2');
    const renamed = unique('Area ');
    expect(await modify(2, { zoneName: renamed })).toMatchObject({ success: true });
    expect((await detail(2, 'zh-CN')).zoneName).toBe(renamed);
    expect(await hub.admin.send(zoneCalls.removeZone, { id: 2 })).toMatchObject({ code: 'ZONE_BUILT_IN' });
  });

  it('leaves a built-in zone without nodes, but no other', async () => {
    const none = { nodes: '[]', address: '' };
    const zoneName = unique('Area ');
    expect(await modify(1, { ...none, zoneName })).toMatchObject({ success: true });
    expect(await detail(1)).toMatchObject({ zoneName, address: '', builtin: 1, nodes: [] });
    // With nodes it is like any other zone: devices get its address.
    expect(await modify(1, { address: '' })).toMatchObject({ code: 'BAD_INPUT', details: [{ field: 'address' }] });
    expect(await modify(1)).toMatchObject({ success: true });
    expect(await modify(1, none)).toMatchObject({ success: true });
    expect((await detail(1)).nodes).toEqual([]);

    const id = await add();
    // How its node is connected may change meanwhile.
    const kept = async () => {
      const { address, updateTime, nodes } = await detail(id);
      return { address, updateTime, nodes: nodes.map(({ nodeId, hostName }) => ({ nodeId, hostName })) };
    };
    const before = await kept();
    expect(await modify(id, { nodes: '[]' })).toMatchObject({
      code: 'BAD_INPUT',
      details: [{ field: 'nodes', message: 'At least one node is required' }],
    });
    expect(await modify(id, { address: '' })).toMatchObject({ code: 'BAD_INPUT', details: [{ field: 'address' }] });
    expect(await kept()).toEqual(before);
  });

  it('requires the menu, and a user of the platform', async () => {
    const tenant = await hub.create.user({ tenancyId: await hub.create.tenancy(), menus: [501] });
    const operator = await hub.create.user({ tenancyId: '1', menus: [603] });
    expect(await tenant.send(zoneCalls.addZone, zoneFields())).toMatchObject({ code: 'FORBIDDEN' });
    expect(await operator.send(zoneCalls.addZone, zoneFields())).toMatchObject({ success: true });
  });
});
