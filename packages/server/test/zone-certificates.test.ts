import { readFileSync } from 'node:fs';
import { CERTIFICATE_MAX_BYTES, zoneCalls } from '@device-center/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readCertificate } from '../src/features/zone/zone.certificate.ts';
import type { Hub } from './hub.ts';
import { sharedHub } from './in-process-hub.ts';
import { temporaryFolder } from './temporary-folder.ts';
import { createAuthority, innerNode, sendParts, sendPartsSlowly, zoneFields } from './zone-fixtures.ts';

const PASSWORD = 'P12-pass';
const authority = createAuthority(temporaryFolder('certificates-'));
const { at, openssl } = authority;

let hub: Hub;
beforeAll(async () => {
  hub = await sharedHub();
  authority.issue('own');
  authority.issue('late', { from: '20200101000000Z', until: '20210101000000Z' });
  authority.issue('early', { from: '20900101000000Z', until: '20910101000000Z' });
  authority.issue('other');
  const p12 = (name: string, ...more: string[]) =>
    openssl(
      ...['pkcs12', '-export', '-inkey', at(`${name}.key`), '-in', at(`${name}.crt`), '-certfile', at('ca.crt')],
      ...['-passout', `pass:${PASSWORD}`, '-out', at(`${name}.p12`), ...more],
    );
  p12('own');
  p12('late');
  openssl('x509', '-in', at('ca.crt'), '-outform', 'der', '-out', at('ca.cer'));
  openssl('ec', '-in', at('own.key'), '-aes256', '-passout', `pass:${PASSWORD}`, '-out', at('locked.key'));
});
afterAll(() => hub.close());

const file = (name: string, bytes: Uint8Array = readFileSync(at(name))) => ({ name, bytes });
const joined = (...names: string[]) => Buffer.concat(names.map((name) => readFileSync(at(name))));

const addWith = (sent: { name: string; bytes: Uint8Array }, node: object = {}, language?: string) =>
  sendParts(
    hub.admin,
    zoneCalls.addZone,
    zoneFields({ nodes: JSON.stringify([innerNode(), innerNode(node)]) }),
    { certificate1: sent },
    language,
  );

const attributesOf = async (answer: unknown) => {
  const { id } = (answer as { data: { id: number } }).data;
  return (await hub.admin.ok(zoneCalls.getZoneDetail, { id })).nodes[1];
};

describe('a certificate file', () => {
  // Spec 5.52
  it.each([
    ['PEM as whom to trust', () => file('ca.crt'), {}, 'trust', 'CN=ca'],
    ['DER as whom to trust', () => file('ca.cer'), {}, 'trust', 'CN=ca'],
    [
      'PEM with a key as identity',
      () => file('own.pem', joined('ca.crt', 'own.key', 'own.crt')),
      {},
      'identity',
      'CN=own',
    ],
    [
      'PEM with a locked key as identity',
      () => file('own.pem', joined('own.crt', 'locked.key')),
      { certificatePassword: PASSWORD },
      'identity',
      'CN=own',
    ],
    ['P12 as identity', () => file('own.p12'), { certificatePassword: PASSWORD }, 'identity', 'CN=own'],
  ] as const)('is accepted: %s', async (_kind, sent, more, use, subject) => {
    const answer = await addWith(sent(), more);
    expect(answer, JSON.stringify(answer)).toMatchObject({ success: true });
    const node = await attributesOf(answer);
    expect(node).toMatchObject({ tls: 1, certificate: { fileName: sent().name, use, subject, issuer: 'CN=ca' } });
    expect(node?.certificate?.fingerprint).toMatch(/^([0-9A-F]{2}:){31}[0-9A-F]{2}$/);
    expect(Date.parse(node?.certificate?.validTo ?? '')).toBeGreaterThan(Date.now());
    const rows = JSON.stringify(await hub.db.selectFrom('zone_node').selectAll().execute());
    expect(rows).not.toMatch(/BEGIN|P12-pass/);
  });

  // By the function that the hub's process for certificates calls; the next test sees its answers over HTTP.
  // Spec 5.52
  it.each([
    ['of another kind', 'CERTIFICATE_TYPE', () => file('notes.txt', Buffer.from('x')), {}],
    ['that is broken', 'CERTIFICATE_UNREADABLE', () => file('ca.crt', joined('ca.crt').subarray(0, 300)), {}],
    ['that is no certificate', 'CERTIFICATE_UNREADABLE', () => file('x.cer', Buffer.alloc(400, 7)), {}],
    ['with a key alone', 'CERTIFICATE_UNREADABLE', () => file('own.pem', joined('own.key')), {}],
    ["with another's key", 'CERTIFICATE_UNREADABLE', () => file('own.pem', joined('own.crt', 'other.key')), {}],
    ['whose P12 is broken', 'CERTIFICATE_UNREADABLE', () => file('x.p12', Buffer.alloc(400, 7)), {}],
    ['with a wrong password', 'CERTIFICATE_PASSWORD', () => file('own.p12'), { certificatePassword: 'no' }],
    [
      'with a locked key and no password',
      'CERTIFICATE_PASSWORD',
      () => file('x.pem', joined('own.crt', 'locked.key')),
      {},
    ],
    ['that has expired', 'CERTIFICATE_EXPIRED', () => file('late.crt'), {}],
    ['that has expired, as P12', 'CERTIFICATE_EXPIRED', () => file('late.p12'), { certificatePassword: PASSWORD }],
    ['that is not valid yet', 'CERTIFICATE_NOT_YET', () => file('early.crt'), {}],
  ] as const)('%s is rejected: %s', (_kind, code, sent, more) => {
    const { name: filename, bytes } = sent();
    const { certificatePassword: password } = { certificatePassword: '', ...more };
    const asked = { file: { filename, bytes: Buffer.from(bytes) }, password, field: 'certificate1' } as const;
    expect(() => readCertificate({ ...asked, language: 'en_US' })).toThrow(
      expect.objectContaining({ code, field: 'certificate1' }),
    );
  });

  it('is described in the reader’s language', async () => {
    const refused = { success: false, details: [{ field: 'certificate1' }] };
    const broken = file('x.cer', Buffer.alloc(400, 7));
    const [zh, en, late, locked] = await Promise.all([
      addWith(broken, {}, 'zh-CN'),
      addWith(broken),
      addWith(file('late.crt')),
      addWith(file('own.p12'), { certificatePassword: 'no' }),
    ]);
    const unreadable = { ...refused, code: 'CERTIFICATE_UNREADABLE' };
    expect(zh).toMatchObject({ ...unreadable, message: '证书无法解析：文件已损坏' });
    expect(en).toMatchObject({ ...unreadable, message: 'The certificate cannot be parsed: the file is damaged' });
    expect(late).toMatchObject({
      ...refused,
      code: 'CERTIFICATE_EXPIRED',
      message: 'The certificate expired on 2021-01-01T00:00:00.000Z',
    });
    expect(locked).toMatchObject({ ...refused, code: 'CERTIFICATE_PASSWORD' });
  });

  // Spec 5.53, 9.33
  it('has at most 5 MB', async () => {
    const sized = (bytes: number) => addWith(file('big.crt', Buffer.alloc(bytes, 10)));
    expect(await sized(CERTIFICATE_MAX_BYTES + 1)).toMatchObject({
      statusCode: 413,
      code: 'CERTIFICATE_TOO_LARGE',
      details: [{ field: 'certificate1' }],
    });
    expect(await sized(CERTIFICATE_MAX_BYTES)).toMatchObject({ code: 'CERTIFICATE_UNREADABLE' });
  });

  it('is rejected for its size also when the excess arrives late', async () => {
    const fields = zoneFields({ nodes: JSON.stringify([innerNode(), innerNode()]) });
    const sent = { certificate1: file('big.crt', Buffer.alloc(CERTIFICATE_MAX_BYTES + 1, 10)) };
    // The final boundary after the file has some 40 bytes.
    for (let late = 36; late <= 48; late++)
      expect(await sendPartsSlowly(hub.admin, zoneCalls.addZone, fields, sent, late)).toMatchObject({
        code: 'CERTIFICATE_TOO_LARGE',
        details: [{ field: 'certificate1' }],
      });
  });

  it('is kept when none is sent, and removed on request', async () => {
    const answer = await addWith(file('ca.crt'));
    const { id } = (answer as unknown as { data: { id: number } }).data;
    const zone = await hub.admin.ok(zoneCalls.getZoneDetail, { id });
    const change = async (more: object) => {
      const nodes = zone.nodes.map(({ nodeId }, index) => innerNode({ nodeId, ...(index === 1 ? more : {}) }));
      const sent = { id, ...zoneFields({ zoneName: zone.zoneName, nodes: JSON.stringify(nodes) }) };
      expect(await sendParts(hub.admin, zoneCalls.modifyZone, sent)).toMatchObject({ success: true });
      return (await hub.admin.ok(zoneCalls.getZoneDetail, { id })).nodes[1];
    };
    expect(await change({})).toMatchObject({ tls: 1, certificate: { subject: 'CN=ca' } });
    expect(await change({ removeCertificate: 1 })).toMatchObject({ tls: 0, certificate: null });
  });
});
