import { describe, expect, it } from 'vitest';
import { emptyNode, nodeRules, portAfter, sentZone, suggestedKey, testedNode, type ZoneValues } from './zone-values.ts';

const zone = (more: Partial<ZoneValues>): ZoneValues => ({
  zoneName: 'Plant',
  zoneType: 1,
  routeKey: 'plant',
  address: 'mq.example',
  isSyncModel: 0,
  syncAll: 0,
  syncTenancies: [],
  status: 1,
  nodes: [emptyNode()],
  ...more,
});

describe('sentZone', () => {
  it('omits secrets to keep, and sends empty ones to delete', () => {
    const nodes = [
      { ...emptyNode(), nodeId: 'a' },
      { ...emptyNode(), nodeId: 'b', forgetPassword: true },
      { ...emptyNode(), nodeId: 'c', forgetPassword: true, password: 'new-one-77' },
    ];
    const sent = sentZone(zone({ nodes })).nodes as { password?: string }[];
    expect(sent.map((node) => node.password)).toEqual([undefined, '', 'new-one-77']);
    expect(sent[0]).not.toHaveProperty('password');
  });

  // Spec 7.7
  it('sends each file at its index, with the password if the file may have one', () => {
    const file = new File(['x'], 'id.P12');
    const removed = { ...emptyNode(), removeCertificate: 1 as const };
    const chosen = { ...removed, certificate: file, certificatePassword: 'secret' };
    const sent = sentZone(zone({ nodes: [removed, chosen] }));
    expect(sent.files).toEqual([null, file]);
    expect(sent.nodes[0]).toMatchObject({ removeCertificate: 1 });
    // A new file replaces the certificate, so nothing is removed.
    expect(sent.nodes[1]).toMatchObject({ removeCertificate: 0, certificatePassword: 'secret' });
  });

  it('sends only the fields of the zone type', () => {
    const [node] = sentZone(zone({ zoneType: 2 })).nodes;
    expect(Object.keys(node ?? {})).toEqual(['nodeId', 'bucketUrl', 'bucketZoneId', 'removeCertificate']);
  });

  it('tests a node without an incomplete route key', () => {
    expect(testedNode(zone({ routeKey: '#' }), emptyNode()).routeKey).toBe('');
    expect(testedNode(zone({ routeKey: 'a/b' }), emptyNode()).routeKey).toBe('a/b');
  });
});

describe('suggestions of the form', () => {
  it('uses the default port unless another was entered', () => {
    expect(portAfter('1883', 1, 1)).toBe('8883');
    expect(portAfter('', 2, 0)).toBe('80');
    expect(portAfter('9001', 1, 1)).toBe('9001');
  });

  it('suggests a valid route key', () => {
    expect(suggestedKey('East  China-7')).toBe('east-china-7');
    expect(suggestedKey('华东')).toBe('');
    expect(suggestedKey('x'.repeat(80))).toHaveLength(50);
  });
});

describe('nodeRules', () => {
  const errorOf = (rule: keyof typeof nodeRules, value: string) =>
    nodeRules[rule].safeParse(value).error?.issues[0]?.message ?? '';

  // Spec 5.46
  it('return specific errors', () => {
    expect(errorOf('port', '')).toBe('REQUIRED');
    expect(errorOf('port', '70000')).toBe('PORT');
    expect(errorOf('bucketZoneId', '')).toBe('REQUIRED');
    expect(errorOf('password', '密码密码密码密码')).toBe('ZONE_ACCOUNT');
    expect(errorOf('password', 'short')).toBe('ZONE_PASSWORD');
    expect(errorOf('password', '')).toBe('');
    expect(errorOf('apiKey', 'abc')).toBe('API_KEY');
    expect(errorOf('apiKey', '')).toBe('');
  });
});
