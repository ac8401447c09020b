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

describe('the shell script', () => {
  let folder: string;
  /** Programs that the script calls over the network, replaced by ones that note what they were given. */
  const program = (name: string, body: string) => {
    writeFileSync(join(folder, name), `#!/bin/sh\n${body}\n`);
    chmodSync(join(folder, name), 0o755);
  };
  const noted = (name: string) => readFileSync(join(folder, name), 'utf8').split('\n').filter(Boolean);

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'device-center-script-'));
    program(
      'curl',
      `case "$*" in
  *login*) for last; do :; done; printf '%s\\n' "$last" > "${folder}/login"
    echo '{"success":true,"data":{"token":"T1","expireIn":7200,"tenantId":"3","sessionId":"S1"}}';;
  *) printf '%s\\n' "$*" > "${folder}/bucket"
    echo '{"data":{"zoneId":1,"protocol":"mqtt","host":"mq.example","port":1883,"path":"","tls":false,"topics":{"up":"dc/3/P/d/up","down":"dc/3/P/d/down"}}}';;
esac`,
    );
    program('mosquitto_pub', `printf '%s\\n' "$*" > "${folder}/arguments"; cat > "${folder}/published"`);
    // One minute passes, and then the script is ended.
    program('sleep', `test ! -e "${folder}/slept" && touch "${folder}/slept"`);
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  const run = (script: string) =>
    execFileSync('sh', ['-c', script], { env: { PATH: `${folder}:${process.env.PATH}` }, encoding: 'utf8' });

  it.each(['md5', 'hmacsha256'] as const)(
    'logs in and reports with signatures of %s that the hub accepts',
    (signMethod) => {
      run(shellScript({ ...values, signMethod, report: { mode: 'it\'s "on"' }, texts }));

      const login = loginFields.safeParse(JSON.parse(noted('login')[0] ?? ''));
      // The id of this test is none that a device may have; everything else is as the hub wants it.
      expect(login.error?.issues.map(({ path }) => path.join('.'))).toEqual(['deviceId']);
      const sent = JSON.parse(noted('login')[0] ?? '') as Record<string, string>;
      expect(sent).toMatchObject({ productId: values.productId, deviceId: values.deviceId, signMethod });
      expect(sent.signature).toBe(signLogin(hashes, signMethod, SECRET, sent));
      expect(noted('bucket')[0]).toContain('Authorization: T1');

      const published = noted('published').map((line) => envelope.parse(JSON.parse(line)));
      expect(published.map(({ type, payload }) => [type, JSON.parse(payload)])).toEqual([
        [1, { op: 'online', versionNumber: '1.0.0' }],
        [2, { properties: { mode: 'it\'s "on"' } }],
        [5, {}],
      ]);
      const [before = '', will = '', after = ''] = (noted('arguments')[0] ?? '').split(/(\{.*\})/);
      const goodbye = envelope.parse(JSON.parse(will));
      expect([goodbye.type, goodbye.payload]).toEqual([1, '{"op":"offline"}']);
      for (const message of [...published, goodbye]) {
        expect(message).toMatchObject({ sessionId: 'S1', tenantId: '3', token: 'T1', deviceId: values.deviceId });
        expect(message.length).toBe(Buffer.byteLength(message.payload));
        expect(message.signature).toBe(signMessage(hashes, signMethod, SECRET, message));
      }
      const who = `-i ${values.deviceId} -u ${values.deviceId} -P T1`;
      const topic = 'dc/3/P/d/up';
      expect([before, after]).toEqual([
        `-V mqttv311 -h mq.example -p 1883 ${who} -k 60 -q 1 -t ${topic} --will-topic ${topic} --will-qos 1 --will-payload `,
        ' -l',
      ]);
    },
  );

  it('shows what the hub answered when the log-in is refused, and connects to nothing', () => {
    program('curl', `echo '{"success":false,"code":"SIGNATURE"}'`);
    const refused = () => run(`${shellScript({ ...values, signMethod: 'md5', report: undefined, texts })}`);
    expect(refused).toThrow(/"code":"SIGNATURE"/);
    expect(() => noted('published')).toThrow();
  });
});

describe('the first report', () => {
  const property = (signCode: string, dataType: DataType, accessMode = 'rw') => ({ signCode, dataType, accessMode });

  it.each<DataType>([
    { type: 'boolean' },
    { type: 'integer', min: 5, max: 9, step: 2 },
    { type: 'double', max: -1 },
    { type: 'long', min: '-9' },
    { type: 'enum', items: [{ value: 'a', description: 'A' }] },
    { type: 'string', length: 3 },
  ])('fits the model: $type', (dataType) => {
    const report = firstReport([property('p', dataType)]);
    expect(report).toBeDefined();
    expect(checkValue(dataType, report?.p)).toEqual([]);
  });

  it('passes over what only the hub writes and what has no plain value', () => {
    const nested: DataType = { type: 'array', element: { type: 'boolean' }, count: 2 };
    expect(firstReport([property('w', { type: 'boolean' }, 'w'), property('n', nested)])).toBeUndefined();
    expect(firstReport([property('n', nested), property('b', { type: 'boolean' }, 'r')])).toEqual({ b: true });
  });
});
