import { execFileSync } from 'node:child_process';
import { createHash, createHmac } from 'node:crypto';
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  checkValue,
  type DataType,
  envelope,
  type Hashes,
  loginFields,
  signLogin,
  signMessage,
} from '@device-center/contract';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { firstReport, shellScript } from './shell-script.ts';

const hex = (name: string) => (text: string) => createHash(name).update(text).digest('hex');
const hashes: Hashes = {
  md5: hex('md5'),
  sha256: hex('sha256'),
  hmacSha256: (secret, text) => createHmac('sha256', secret).update(text).digest('hex'),
};

const texts = { needs: (tool: string) => `Needs ${tool}.`, stays: 'Stays.', will: 'Will.', alive: 'Alive.' };
const SECRET = 's3cr3t-of-device-0001';
const values = { hub: 'http://hub.example', productId: 'P1a2b3c4', deviceId: "it's:dev.1", deviceSecret: SECRET };

describe('shellScript', () => {
  let folder: string;
  /** Replaces a network program that the script calls by one that records its arguments. */
  const stubProgram = (name: string, body: string) => {
    writeFileSync(join(folder, name), `#!/bin/sh\n${body}\n`);
    chmodSync(join(folder, name), 0o755);
  };
  const recorded = (name: string) => readFileSync(join(folder, name), 'utf8').split('\n').filter(Boolean);

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'device-center-script-'));
    stubProgram(
      'curl',
      `case "$*" in
  *login*) for last; do :; done; printf '%s\\n' "$last" > "${folder}/login"
    echo '{"success":true,"data":{"token":"T1","expireIn":7200,"tenantId":"3","sessionId":"S1"}}';;
  *) printf '%s\\n' "$*" > "${folder}/bucket"
    echo '{"data":{"zoneId":1,"protocol":"mqtt","host":"mq.example","port":1883,"path":"","tls":false,"topics":{"up":"dc/3/P/d/up","down":"dc/3/P/d/down"}}}';;
esac`,
    );
    stubProgram('mosquitto_pub', `printf '%s\\n' "$*" > "${folder}/arguments"; cat > "${folder}/published"`);
    // The first sleep succeeds; the second one fails, which ends the script.
    stubProgram('sleep', `test ! -e "${folder}/slept" && touch "${folder}/slept"`);
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  const run = (script: string) =>
    execFileSync('sh', ['-c', script], { env: { PATH: `${folder}:${process.env.PATH}` }, encoding: 'utf8' });

  it.each(['md5', 'hmacsha256'] as const)('logs in and reports with valid %s signatures', (signMethod) => {
    run(shellScript({ ...values, signMethod, report: { mode: 'it\'s "on"' }, texts }));

    const login = loginFields.safeParse(JSON.parse(recorded('login')[0] ?? ''));
    // Only the device id is invalid: it is chosen to test the quoting.
    expect(login.error?.issues.map(({ path }) => path.join('.'))).toEqual(['deviceId']);
    const sent = JSON.parse(recorded('login')[0] ?? '') as Record<string, string>;
    expect(sent).toMatchObject({ productId: values.productId, deviceId: values.deviceId, signMethod });
    expect(sent.signature).toBe(signLogin(hashes, signMethod, SECRET, sent));
    expect(recorded('bucket')[0]).toContain('Authorization: T1');

    const published = recorded('published').map((line) => envelope.parse(JSON.parse(line)));
    expect(published.map(({ type, payload }) => [type, JSON.parse(payload)])).toEqual([
      [1, { op: 'online', versionNumber: '1.0.0' }],
      [2, { properties: { mode: 'it\'s "on"' } }],
      [5, {}],
    ]);
    const [before = '', will = '', after = ''] = (recorded('arguments')[0] ?? '').split(/(\{.*\})/);
    const willMessage = envelope.parse(JSON.parse(will));
    expect([willMessage.type, willMessage.payload]).toEqual([1, '{"op":"offline"}']);
    for (const message of [...published, willMessage]) {
      expect(message).toMatchObject({ sessionId: 'S1', tenantId: '3', token: 'T1', deviceId: values.deviceId });
      expect(message.length).toBe(Buffer.byteLength(message.payload));
      expect(message.signature).toBe(signMessage(hashes, signMethod, SECRET, message));
    }
    const identity = `-i ${values.deviceId} -u ${values.deviceId} -P T1`;
    const topic = 'dc/3/P/d/up';
    expect([before, after]).toEqual([
      `-V mqttv311 -h mq.example -p 1883 ${identity} -k 60 -q 1 -t ${topic} --will-topic ${topic} --will-qos 1 --will-payload `,
      ' -l',
    ]);
  });

  it("prints the hub's response to a rejected login, and does not connect", () => {
    stubProgram('curl', `echo '{"success":false,"code":"SIGNATURE"}'`);
    const runScript = () => run(`${shellScript({ ...values, signMethod: 'md5', report: undefined, texts })}`);
    expect(runScript).toThrow(/"code":"SIGNATURE"/);
    expect(() => recorded('published')).toThrow();
  });
});

describe('firstReport', () => {
  const property = (signCode: string, dataType: DataType, accessMode = 'rw') => ({ signCode, dataType, accessMode });

  it.each<DataType>([
    { type: 'boolean' },
    { type: 'integer', min: 5, max: 9, step: 2 },
    { type: 'double', max: -1 },
    { type: 'long', min: '-9' },
    { type: 'enum', items: [{ value: 'a', description: 'A' }] },
    { type: 'string', length: 3 },
  ])('returns a valid value: $type', (dataType) => {
    const report = firstReport([property('p', dataType)]);
    expect(report).toBeDefined();
    expect(checkValue(dataType, report?.p)).toEqual([]);
  });

  it('skips write-only properties and complex data types', () => {
    const nested: DataType = { type: 'array', element: { type: 'boolean' }, count: 2 };
    expect(firstReport([property('w', { type: 'boolean' }, 'w'), property('n', nested)])).toBeUndefined();
    expect(firstReport([property('n', nested), property('b', { type: 'boolean' }, 'r')])).toEqual({ b: true });
  });
});
