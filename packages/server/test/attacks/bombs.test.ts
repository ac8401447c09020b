import { readFileSync } from 'node:fs';
import { request } from 'node:http';
import { connect } from 'node:net';
import {
  type Answer,
  applicationCalls,
  DEVICE_FILE_MAX_ROWS,
  deviceCalls,
  modelCalls,
  personalCalls,
  zoneCalls,
} from '@device-center/contract';
import { beforeAll, describe, expect, it } from 'vitest';
import { LONG } from '../connectivity-fixtures.ts';
import type { Hub, TestUser } from '../hub.ts';
import { sharedHub } from '../in-process-hub.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { createAuthority, innerNode, sendParts, zoneFields } from '../zone-fixtures.ts';

let hub: Hub;
const authority = createAuthority(temporaryFolder('bombs-'));
const { at } = authority;
beforeAll(async () => {
  hub = await sharedHub();
  authority.issue('own');
});

const asAdmin = () => ({ Authorization: hub.admin.token });
const lives = async (): Promise<boolean> => (await fetch(`${hub.url}/health/ready`)).ok;

/** Sends a zone with a certificate file; other requests must be answered before it. */
const addWith = async (name: string, file: Buffer, password = ''): Promise<Answer<unknown>> => {
  const fields = zoneFields({ nodes: JSON.stringify([innerNode({ certificatePassword: password })]) });
  let answered = false;
  const answer = sendParts(hub.admin, zoneCalls.addZone, fields, { certificate0: { name, bytes: file } }).finally(
    () => {
      answered = true;
    },
  );
  let servedMeanwhile = 0;
  while (!answered) if (await lives()) servedMeanwhile += 1;
  expect(servedMeanwhile).toBeGreaterThan(1);
  return answer;
};

/** A piece of ASN.1, as certificate files are written in. */
const der = (tag: number, ...parts: Buffer[]): Buffer => {
  const content = Buffer.concat(parts);
  const length = content.length < 128 ? [content.length] : [0x82, content.length >> 8, content.length & 255];
  return Buffer.concat([Buffer.from([tag, ...length]), content]);
};
const list = (...parts: Buffer[]): Buffer => der(0x30, ...parts);
const bytes = (length: number): Buffer => der(0x04, Buffer.alloc(length, 7));
const oid = (hex: string): Buffer => der(0x06, Buffer.from(hex, 'hex'));
const number = (...content: number[]): Buffer => der(0x02, Buffer.from(content));
/** How often the password is to be hashed. */
const MOST = number(0x7f, 0xff, 0xff, 0xff);

const costlyP12 = (): Buffer => {
  const contents = list(oid('2a864886f70d010701'), der(0xa0, der(0x04, list())));
  const digest = list(list(oid('608648016503040201'), der(0x05)), bytes(32));
  return list(number(3), contents, list(digest, bytes(8), MOST));
};

const costlyKey = (): Buffer => {
  const hashing = list(oid('2a864886f70d01050c'), list(bytes(16), MOST));
  const way = list(oid('2a864886f70d01050d'), list(hashing, list(oid('60864801650304012a'), bytes(16))));
  const text = list(way, bytes(64)).toString('base64').replaceAll(/.{64}/g, '$&\n');
  const pem = `-----BEGIN ENCRYPTED PRIVATE KEY-----\n${text}\n-----END ENCRYPTED PRIVATE KEY-----\n`;
  return Buffer.concat([readFileSync(at('own.crt')), Buffer.from(pem)]);
};

describe('a certificate file', () => {
  // Each uses a CPU for its five seconds: without LONG only one of each kind.
  it.each([['own.p12', costlyP12], ...(LONG ? ([['own.pem', costlyKey]] as const) : [])] as const)(
    'rejects one whose password would be hashed for minutes, without blocking others: %s',
    async (name, created) => {
      expect(await addWith(name, created(), 'x')).toMatchObject({
        code: 'CERTIFICATE_UNREADABLE',
        details: [{ field: 'certificate0', message: expect.stringContaining('takes too long') }],
      });
    },
  );

  it.each(LONG ? ['CERTIFICATE', 'PRIVATE KEY'] : ['CERTIFICATE'])(
    'rejects one of nothing but beginnings of a %s',
    async (kind) => {
      const many = Buffer.from(`-----BEGIN ${kind}-----\n`.repeat(100_000));
      expect(await addWith('many.pem', many)).toMatchObject({ success: false, statusCode: 400 });
    },
  );
});

describe('deeply nested JSON', () => {
  const deep = (levels: number) => `${'['.repeat(levels)}${']'.repeat(levels)}`;

  it.each([5_000, 200_000])('is rejected at %i levels like any other invalid input', async (levels) => {
    const productId = await hub.create.product('1');
    const sent: [string, string, string][] = [
      ['PUT', applicationCalls.addApplication.path, `{"applicationName":${deep(levels)}}`],
      ['POST', modelCalls.importProductModel.path, `{"productId":"${productId}","content":${deep(levels)}}`],
      ['POST', modelCalls.importProductModel.path, `{"productId":"${productId}","content":"${deep(levels)}"}`],
      ['POST', personalCalls.savePreferences.path, `{"preferences":${deep(levels)}}`],
    ];
    for (const [method, path, body] of sent) {
      const headers = { ...asAdmin(), 'Content-Type': 'application/json' };
      const answer = await fetch(`${hub.url}${path}`, { method, headers, body });
      expect([400, 413], `${path} ${await answer.text()}`).toContain(answer.status);
    }
    expect(await lives()).toBe(true);
  });
});

describe('a large input', () => {
  /** Sends it whole, and counts the requests of others that are answered, one after the other, until it is. */
  const sendBeside = async (path: string, contentType: string, body: string) => {
    const headers = { ...asAdmin(), 'Accept-Language': 'en-US', 'Content-Type': contentType };
    let answered = false;
    const answer = new Promise<Answer<unknown>>((resolve, reject) => {
      const sent = request(`${hub.url}${path}`, { method: 'POST', headers }, async (response) => {
        answered = true;
        resolve(JSON.parse(Buffer.concat(await response.toArray()).toString()) as Answer<unknown>);
      });
      sent.on('error', reject).end(body);
    });
    let servedMeanwhile = 0;
    while (!answered) {
      await lives();
      servedMeanwhile += 1;
    }
    return { answer: await answer, servedMeanwhile };
  };
  /** One is answered before the hub has read the input, one after, and one may be on its way. */
  const WITHOUT_PAUSES = 4;

  it('is rejected by its length, not entry by entry', async () => {
    const productId = await hub.create.product('1');
    const entries = `[${'{},'.repeat(600_000)}{}]`;
    const contents = [entries, `{"functions":${entries}}`, `{"properties":${entries},"events":[],"services":[]}`];
    for (const content of contents) {
      const body = `{"productId":"${productId}","content":${content}}`;
      const { answer, servedMeanwhile } = await sendBeside(
        modelCalls.importProductModel.path,
        'application/json',
        body,
      );
      expect(answer).toMatchObject({
        statusCode: 400,
        details: [{ field: 'content.functions', message: 'At most 500' }],
      });
      expect(answer.success ? [] : answer.details).toHaveLength(1);
      expect(servedMeanwhile).toBeGreaterThan(WITHOUT_PAUSES);
    }
    const preferences = `{"preferences":{${Array.from({ length: 80_000 }, (_, index) => `"k${index}":0`).join(',')}}}`;
    const { answer } = await sendBeside(personalCalls.savePreferences.path, 'application/json', preferences);
    expect(answer).toMatchObject({ statusCode: 400, details: [{ field: 'preferences' }] });
    expect(answer.success ? [] : answer.details).toHaveLength(1);
  });

  it('of one tenant leaves slots for other tenants', async () => {
    const createUser = async () => hub.create.user({ tenancyId: await hub.create.tenancy(), menus: [502] });
    const [flooding, other] = [await createUser(), await createUser()];
    const content = Array.from({ length: 200_000 }, () => ({}));
    const send = async (user: TestUser) => {
      const sent = { productId: 'none', content };
      return (await user.error(modelCalls.importProductModel, sent, { as: 'json' })).code;
    };
    const codes = await Promise.all(Array.from({ length: 9 }, () => send(flooding)).concat(send(other)));
    expect(codes.filter((code) => code === 'TOO_MANY_REQUESTS').length).toBeGreaterThan(0);
    expect(codes.at(-1)).toBe('BAD_INPUT');
  });

  it('reports a hundred of a thousand invalid fields', async () => {
    const body = `{${Array.from({ length: 1_000 }, (_, index) => `"k${index}":0`).join(',')}}`;
    const { answer } = await sendBeside(applicationCalls.updateApplication.path, 'application/json', body);
    expect(answer.success ? [] : answer.details).toHaveLength(100);
  });

  it('leaves time for other requests, for example a sheet of devices', async () => {
    const productId = await hub.create.product('1');
    const rows = Array.from({ length: DEVICE_FILE_MAX_ROWS }, (_, index) => `not an id ${index}`).join('\n');
    const part = (name: string, more = '') => `--x\r\nContent-Disposition: form-data; name="${name}"${more}\r\n\r\n`;
    const body = `${part('productId')}${productId}\r\n${part('file', '; filename="a.csv"')}deviceId\n${rows}\r\n--x--\r\n`;
    const { answer, servedMeanwhile } = await sendBeside(
      deviceCalls.checkDeviceFile.path,
      'multipart/form-data; boundary=x',
      body,
    );
    expect(answer).toMatchObject({ success: true, data: { total: DEVICE_FILE_MAX_ROWS, valid: 0 } });
    expect(servedMeanwhile).toBeGreaterThan(WITHOUT_PAUSES);
  });
});

describe('an endless chunked body', () => {
  const BOUNDARY = 'x'.repeat(20);
  const part = (rest: string) => `--${BOUNDARY}\r\nContent-Disposition: form-data; ${rest}`;
  const much = 'a'.repeat(60_000);
  const first = (text: string) => (index: number) => (index === 0 ? text : much);

  it.each([
    ['many fields', (index: number) => `${part(`name="f${index}"`)}\r\n\r\nv\r\n`],
    ['one field', first(`${part('name="f"')}\r\n\r\n`)],
    ['one file', first(`${part('name="multipartFile"; filename="a.png"')}\r\n\r\n`)],
    ['a file that nobody wants', first(`${part('name="other"; filename="a.png"')}\r\n\r\n`)],
    ['one name', first(part('name="'))],
    ['nothing but what comes before the first part', first(much)],
    ['headers', (index: number) => (index === 0 ? `--${BOUNDARY}\r\n` : `X-${index}: ${much.slice(0, 1_000)}\r\n`)],
  ])('is ended by the hub: %s', async (_kind, pieceAt) => {
    const { port, hostname } = new URL(hub.url);
    const socket = connect(Number(port), hostname);
    let answer = '';
    const ended = new Promise<void>((resolve) => socket.on('close', () => resolve()));
    socket.on('data', (heard: Buffer) => {
      answer += heard.toString();
      // The hub has answered and may close while the client still sends.
      if (/^HTTP\/1\.1 413 /.test(answer)) socket.destroy();
    });
    socket.on('error', () => undefined);
    socket.write(
      `POST ${personalCalls.updateUserHead.path} HTTP/1.1\r\nHost: hub\r\nAuthorization: ${hub.admin.token}\r\n` +
        `Content-Type: multipart/form-data; boundary=${BOUNDARY}\r\nTransfer-Encoding: chunked\r\n\r\n`,
    );
    const keepSending = (index: number): void => {
      if (socket.destroyed) return;
      const piece = pieceAt(index);
      const more = socket.write(`${piece.length.toString(16)}\r\n${piece}\r\n`);
      if (more) setImmediate(keepSending, index + 1);
      else socket.once('drain', () => keepSending(index + 1));
    };
    keepSending(0);
    await ended;
    expect(answer === '' || answer.startsWith('HTTP/1.1 413 ')).toBe(true);
    expect(await lives()).toBe(true);
  });
});
