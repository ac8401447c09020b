import { apiKeyCalls, type Sent, zoneCalls } from '@device-center/contract';
import { unique } from '../hub.ts';
import { zoneFields } from '../zone-fixtures.ts';
import type { Mutations } from './mutation-result.ts';

type Fields = Sent<typeof zoneCalls.addZone>;

/** Successful mutations of zones and API keys. */
export const zoneMutations: Mutations = (hub, tenancyId, secrets) => {
  const { admin } = hub;
  // Zones belong to the platform's own tenant.
  const by = (targetId: number | string) => ({ username: 'admin', tenancyId: '1', targetId: String(targetId) });
  const fields = (): Fields => {
    secrets.push('Broker-pass1');
    return zoneFields() as unknown as Fields;
  };
  const told = ({ nodes: _listed, ...rest }: Fields) => rest;
  const created = async () => {
    const sent = fields();
    return { sent, ...(await admin.ok(zoneCalls.addZone, sent)) };
  };
  const madeKey = async () => {
    const sent = { keyName: unique('k'), roleId: await hub.create.role(tenancyId, [302]), tenancyId };
    const answer = await admin.call(apiKeyCalls.addApiKey, sent);
    const { keyId, key } = answer.success ? answer.data : { keyId: '', key: '' };
    secrets.push(key);
    return { sent, answer, keyId };
  };

  return {
    'zone.addZone': async () => {
      const sent = fields();
      const answer = await admin.call(zoneCalls.addZone, sent);
      const after = { ...told(sent), nodes: [{ hostName: 'broker.example.com', password: '***', certificate: '' }] };
      return { answer, expected: { ...by(answer.success ? answer.data.id : ''), after } };
    },
    'zone.modifyZone': async () => {
      const { id, sent } = await created();
      const after = fields();
      const answer = await admin.call(zoneCalls.modifyZone, { id, ...after });
      return { answer, expected: { ...by(id), before: told(sent), after: told(after) } };
    },
    'zone.setZoneState': async () => {
      const { id } = await created();
      const answer = await admin.call(zoneCalls.setZoneState, { id, status: 0 });
      return { answer, expected: { ...by(id), before: { status: 1 }, after: { status: 0 } } };
    },
    'zone.removeZone': async () => {
      const { id, sent } = await created();
      const answer = await admin.call(zoneCalls.removeZone, { id });
      return { answer, expected: { ...by(id), before: { zoneName: sent.zoneName } } };
    },
    'zone.testZoneNode': async () => {
      const node = { hostName: '127.0.0.1', port: 1, serverType: 1 } as const;
      const answer = await admin.call(zoneCalls.testZoneNode, { zoneType: 1, ...node });
      const after = { port: 1, ok: 0, problem: 'addressForbidden' };
      return { answer, expected: { ...by(node.hostName), after } };
    },
    'zone.moveZoneDevices': async () => {
      const { id } = await created();
      const answer = await admin.call(zoneCalls.moveZoneDevices, { id });
      return { answer, expected: { ...by(id), after: { devices: 0 } } };
    },
    'apiKey.addApiKey': async () => {
      const { sent, answer, keyId } = await madeKey();
      const after = { keyName: sent.keyName, scope: 'role', roleId: sent.roleId };
      return { answer, expected: { username: 'admin', tenancyId, targetId: keyId, after } };
    },
    'apiKey.revokeApiKey': async () => {
      const { sent, keyId } = await madeKey();
      const answer = await admin.call(apiKeyCalls.revokeApiKey, { keyId });
      const before = { keyName: sent.keyName, scope: 'role' };
      return { answer, expected: { username: 'admin', tenancyId, targetId: keyId, before } };
    },
  };
};
