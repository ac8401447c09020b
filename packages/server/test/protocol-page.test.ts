import {
  bucket,
  childAnswer,
  childRequest,
  controlCalls,
  deviceCodes,
  type Envelope,
  LOG_LINE_MAX_BYTES,
  LOG_LINES_MAX,
  languages,
  loginAnswer,
  loginFields as loginSchema,
  MESSAGE_MAX_BYTES,
  modelCalls,
  recordCalls,
  signingText,
  signLogin,
  signMessage,
  TRANSPARENT_MAX_BYTES,
} from '@device-center/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { hashes } from '../src/platform/hashes.ts';
import { connectNewDevice, createProductFixture, expectOnline } from './device-fixtures.ts';
import { property } from './functions.ts';
import { type Hub, unique } from './hub.ts';
import { sharedHub } from './in-process-hub.ts';
import {
  answerTo,
  blocksOf,
  jsonOf,
  kindOf,
  messagesOf,
  pages,
  payloadOf,
  payloads,
  secretsOf,
} from './protocol-page.ts';
import { loginFields, type RawDevice } from './raw-device.ts';

/** As GitHub makes it of a heading. */
const anchorOf = (heading: string): string =>
  heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
    .trim()
    .replaceAll(/\s/g, '-');

const rowsOf = (page: string): string[][] =>
  page.split('\n').flatMap((line) => (line.startsWith('| ') ? [line.slice(2, -2).split(' | ')] : []));

describe.each(languages)('the protocol page in %s', (language) => {
  const page = pages[language];

  it('shows the four test vectors, with the signed text', () => {
    const shown = [...page.matchAll(/```text\n([\s\S]*?)\n```\n\n[^\n]*`([0-9a-f]+)`\n/g)];
    expect(shown.map(([, , signature]) => signature)).toEqual([
      '95a5c71011c5e46d1298ab398fa4d6da',
      'a585cf2560da7e6d70ce15adc64dee8df66c26b3d46f1c630065996d70088002',
      '20c08c6048143db6b2536189e23171d2',
      '4b13c95d1e27d85acb27ab833a9ccd9e9d778c34255cd2f957d0263e273d1f23',
    ]);
    for (const [, text = '', signature] of shown) {
      const fields = Object.fromEntries(text.split('\n').map((line) => line.split(/=(.*)/).slice(0, 2)));
      const { payload, signMethod } = z
        .object({ payload: z.string().optional(), signMethod: z.enum(['md5', 'hmacsha256']) })
        .parse(fields);
      expect(text).toBe(signingText(fields));
      expect(signLogin(hashes, signMethod, 's3cr3t-of-device-0001', fields)).toBe(signature);
      const digest = signMethod === 'md5' ? hashes.md5 : hashes.sha256;
      if (payload) expect(payload).toBe(digest('{"properties":{"power":true}}'));
    }
  });

  // Spec 3.167, 9.23
  it('shows every message kind, valid by its schema', () => {
    const shown = messagesOf(page);
    expect(new Set(shown.map(kindOf).filter((kind) => kind !== 'down response 2'))).toEqual(new Set(payloads.keys()));
    for (const message of shown) {
      expect(message.length).toBe(Buffer.byteLength(message.payload));
      expect(message.code === undefined).toBe(message.dataFlow === 0);
      if (message.code === undefined || message.code === 200) payloads.get(kindOf(message))?.parse(payloadOf(message));
      else expect([message.payload, message.code]).toEqual(['', deviceCodes.VALUE.number]);
    }
  });

  it('shows correct signatures', () => {
    const secrets = secretsOf(page);
    const shown = messagesOf(page);
    expect(shown.length).toBeGreaterThan(30);
    for (const message of shown)
      expect(signMessage(hashes, message.signMethod, secrets.get(message.deviceId) ?? '', message)).toBe(
        message.signature,
      );
    const requests = shown.filter((message) => kindOf(message) === 'up request 8').map(payloadOf);
    const children = requests.flatMap((request) => {
      const login = childRequest.parse(request);
      return login.op === 'login' ? [{ fields: login.child, secret: secrets.get(login.child.productId) }] : [];
    });
    const own = jsonOf(page).filter((value) => 'nonce' in value);
    const logins = own.map((value) => {
      const fields = loginSchema.parse(value);
      return { fields, secret: secrets.get(fields.deviceId) };
    });
    expect([logins.length, children.length]).toEqual([1, 1]);
    for (const { fields, secret } of [...logins, ...children])
      expect(signLogin(hashes, fields.signMethod, secret ?? '', fields)).toBe(fields.signature);
  });

  it('shows the real HTTP answers', () => {
    const answers = jsonOf(page).filter((value) => 'success' in value);
    const [login, refused, where] = answers;
    expect(answers).toHaveLength(3);
    loginAnswer.strict().parse(login?.data);
    bucket.strict().parse(where?.data);
    const { status, en_US: message } = deviceCodes.SIGNATURE;
    expect(refused).toMatchObject({ success: false, statusCode: status, code: 'SIGNATURE', message, data: null });
  });

  it('names every code with its meaning and remedy, and no other', () => {
    const codes = rowsOf(page).filter(([number = '', word = '']) => /^\d{5}$/.test(number) && /^[A-Z\d_]+$/.test(word));
    expect(codes).toEqual(
      Object.entries(deviceCodes).map(([word, code]) => [
        String(code.number),
        word,
        code[language],
        code.remedy[language],
      ]),
    );
  });

  it('names the actual limits', () => {
    const cells = rowsOf(page).map(([, limit = '']) => limit.replaceAll('、', ', '));
    expect(cells).toContain(`${LOG_LINES_MAX}, ${LOG_LINE_MAX_BYTES}`);
    expect(cells).toContain(`${TRANSPARENT_MAX_BYTES / 1024} KiB`);
    expect(cells.some((cell) => cell.startsWith(`${MESSAGE_MAX_BYTES / 1024} KiB`))).toBe(true);
  });

  it('has no broken internal link', () => {
    const anchors = [...page.matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) => anchorOf(heading));
    const links = [...page.matchAll(/\]\(#([^)]+)\)/g)].map(([, anchor]) => anchor);
    expect(links.length).toBeGreaterThan(10);
    expect(links.filter((anchor) => !anchors.includes(anchor ?? ''))).toEqual([]);
  });
});

it('has the same content in both languages', () => {
  const skeleton = (page: string) =>
    page.split('\n').map((line) => /^(#+ |\| |- |\d+\. |```\w*|\*\*)/.exec(line)?.[0] ?? line.trim() === '');
  expect(skeleton(pages.zh_CN)).toEqual(skeleton(pages.en_US));
  for (const kind of ['json', 'text', 'sh']) expect(blocksOf(pages.zh_CN, kind)).toEqual(blocksOf(pages.en_US, kind));
});

describe('the protocol page on a real hub', () => {
  const page = pages.en_US;
  const of = (deviceId: string, kind: RegExp): Envelope[] =>
    messagesOf(page).filter((message) => message.deviceId === deviceId && kind.test(kindOf(message)));

  /** Names of fields and kinds of values, two deep. */
  const shapeOf = (value: unknown, depth = 0): unknown => {
    if (typeof value !== 'object' || value === null || Array.isArray(value) || depth > 2) return typeof value;
    const entries = Object.entries(value).map(([key, inner]) => [key, shapeOf(inner, depth + 1)] as const);
    return Object.fromEntries(entries.toSorted(([one], [other]) => (one < other ? -1 : 1)));
  };

  const expectSameAnswer = (answer: Envelope, shown: Envelope): void => {
    expect([answer.code, answer.message]).toEqual([shown.code, shown.message]);
    expect(shapeOf(answer.payload && JSON.parse(answer.payload))).toEqual(
      shapeOf(shown.payload && JSON.parse(shown.payload)),
    );
  };

  let hub: Hub;
  let lamp: RawDevice;
  let productId: string;
  beforeAll(async () => {
    hub = await sharedHub();
    const created = await createProductFixture(hub);
    productId = created.productId;
    lamp = await connectNewDevice(hub, created);
  });
  afterAll(async () => {
    await lamp.end(true);
    await hub.close();
  });

  it.each(of('dev0001', /^up request/).map((request) => [request.type, request.payload, request] as const))(
    'shows the answer to type %i with %s',
    async (type, payload, request) => {
      const { dataId } = await lamp.send({ type, payload });
      const answers = () => lamp.received.filter((one) => one.dataFlow === 1 && one.dataId === dataId);
      const shown = answerTo(page, request);
      if (shown) await lamp.next((one) => answers().includes(one));
      // A refusal would come before the answer to a later question.
      else await lamp.ask({ type: 10, payload: { ask: ['time'] } });
      expect(answers()).toHaveLength(shown ? 1 : 0);
      for (const answer of answers()) expectSameAnswer(answer, shown ?? answer);
    },
  );

  const anyObject = z.record(z.string(), z.unknown());
  const commandOf = z.union([
    z
      .strictObject({ properties: z.record(z.string(), z.unknown()) })
      .transform(({ properties }) => Object.entries(properties)[0]),
    z.strictObject({ get: z.tuple([z.string()]) }).transform(({ get: [functionId] }) => [functionId] as const),
    z
      .strictObject({ service: z.string(), input: z.unknown() })
      .transform(({ service, input }) => [service, input] as const),
  ]);

  it.each(of('dev0001', /^down request [24]$/).map((request) => [request.payload, request] as const))(
    'shows the command %s and an accepted answer',
    async (payload, request) => {
      await expectOnline(hub, lamp.deviceId, 1);
      const [functionId = '', value] = commandOf.parse(JSON.parse(payload)) ?? [];
      const done = hub.admin.ok(controlCalls.commandDeviceFunction, {
        deviceId: lamp.deviceId,
        functionId,
        ...(value === undefined ? { read: 1 } : { functionValue: JSON.stringify(value) }),
      });
      const came = await lamp.next((one) => one.dataFlow === 0 && one.payload === payload);
      expect([came.type, came.token]).toEqual([request.type, '']);
      const shown = answerTo(page, request);
      await lamp.respond(came, shown?.code ?? 0, shown?.payload);
      const [output] = Object.values(anyObject.parse(JSON.parse(shown?.payload ?? '{}')));
      expect(await done).toMatchObject({ status: 'answered', code: 200, output });
    },
  );

  it('shows the notification of a changed model', async () => {
    await hub.admin.ok(modelCalls.addProductFunction, { productId, ...property('added') });
    const [shown] = of('dev0001', /^down request 10$/);
    expect((await lamp.next((one) => one.dataFlow === 0 && one.type === 10)).payload).toBe(shown?.payload);
  });

  it('shows login, message and logout of a child', async () => {
    const gateway = await connectNewDevice(
      hub,
      await createProductFixture(hub, { categoryId: 'std-gateway', nodeType: 2 }),
    );
    const kind = await createProductFixture(hub, { categoryId: 'std-environment-sensor', nodeType: 3 });
    const who = { productId: kind.productId, deviceId: unique('child'), secret: kind.productSecret };
    const [login, logout] = of('gate0001', /^up request 8$/).map((request) => answerTo(page, request));
    const answer = await gateway.ask({ type: 8, payload: { op: 'login', child: loginFields(who) } });
    if (login) expectSameAnswer(answer, login);

    const { deviceId, sessionId, token, deviceSecret = '' } = childAnswer.parse(JSON.parse(answer.payload));
    const [report] = of('sensor0001', /^up request 2$/);
    const unsigned = gateway.seal({ type: 2, payload: report?.payload, deviceId, sessionId, token });
    await gateway.publish({ ...unsigned, signature: signMessage(hashes, 'hmacsha256', deviceSecret, unsigned) });
    const values = await hub.admin.ok(recordCalls.getLatestValues, { deviceId });
    expect(Object.fromEntries(values.map(({ signCode, value }) => [signCode, value]))).toEqual(
      anyObject.parse(JSON.parse(report?.payload ?? '{}')).properties,
    );

    const left = await gateway.ask({ type: 8, payload: { op: 'logout', deviceId } });
    if (logout) expectSameAnswer(left, logout);
    expect([login, logout, report].includes(undefined)).toBe(false);
    await gateway.end(true);
  });
});
