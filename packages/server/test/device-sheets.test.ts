import {
  type Answer,
  auditCalls,
  DEVICE_FILE_MAX_ROWS,
  deviceCalls,
  type Output,
  sheetColumns,
} from '@device-center/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { describeOnEachEngine } from './engine.ts';
import { type Hub, type TestUser, unique } from './hub.ts';
import { sharedHub } from './in-process-hub.ts';
import { login } from './raw-device.ts';

describeOnEachEngine(() => {
  let hub: Hub;
  let tenancyId: string;
  let user: TestUser;
  let applicationId: string;
  let productId: string;

  beforeAll(async () => {
    hub = await sharedHub();
    tenancyId = await hub.create.tenancy();
    user = await hub.create.user({ tenancyId, menus: [501] });
    applicationId = await hub.create.application(tenancyId);
    productId = await hub.create.product(tenancyId, { applicationId });
  });
  afterAll(() => hub.close());

  type Checked = Output<typeof deviceCalls.checkDeviceFile>;

  const send = async (bytes: Uint8Array | string, more: Record<string, string> = {}): Promise<Answer<Checked>> => {
    const body = new FormData();
    for (const [name, value] of Object.entries({ productId, ...more })) body.set(name, value);
    body.set('file', new Blob([typeof bytes === 'string' ? bytes : Uint8Array.from(bytes)]), 'devices.csv');
    const headers = { Authorization: user.token, 'Accept-Language': 'en-US' };
    const response = await fetch(hub.url + deviceCalls.checkDeviceFile.path, { method: 'POST', headers, body });
    return (await response.json()) as Answer<Checked>;
  };
  const check = async (bytes: Uint8Array | string): Promise<Checked> => {
    const answer = await send(bytes);
    if (!answer.success) throw new Error(JSON.stringify(answer));
    return deviceCalls.checkDeviceFile.output.parse(answer.data);
  };
  const countDevices = async () => (await user.ok(deviceCalls.countDevices, {})).total;

  describe('parsing a sheet of devices', () => {
    it('reads a byte order mark, quotes, Windows line ends and columns in any order', async () => {
      const [first, second] = [unique('s'), unique('s')];
      const sheet = `\uFEFFMAC,"deviceId",deviceName,note\r\n00:11,${first},"灯(1)","a ""b"", c\r\nd"\r\n\r\n,${second},,\r\n`;
      const before = await countDevices();
      expect(await check(sheet)).toMatchObject({
        total: 2,
        valid: 2,
        refused: [],
        devices: [
          { deviceId: first, deviceName: '灯(1)', mac: '00:11', applicationId },
          { deviceId: second, deviceName: second, mac: '', applicationId },
        ],
      });
      expect(await countDevices()).toBe(before);
    });

    it('reads the encoding of a Chinese spreadsheet', async () => {
      const deviceId = unique('s');
      // 厨房灯 in GB 18030.
      const name = [0xb3, 0xf8, 0xb7, 0xbf, 0xb5, 0xc6];
      const bytes = Buffer.concat([Buffer.from(`deviceId,deviceName\n${deviceId},`), Buffer.from(name)]);
      expect((await check(bytes)).devices).toMatchObject([{ deviceId, deviceName: '厨房灯' }]);
    });

    it('reads UTF-16, and semicolons or tabs between cells', async () => {
      const deviceId = unique('s');
      const sheets = [
        `deviceId;deviceName\r\n${deviceId};"灯(1)"\r\n`,
        `deviceId\tdeviceName\r\n${deviceId}\t灯(1)\r\n`,
        `deviceId,deviceName\r\n${deviceId},灯(1)\r\n`,
      ];
      for (const sheet of sheets)
        for (const bytes of [
          Buffer.from(sheet),
          Buffer.from(`\uFEFF${sheet}`, 'utf16le'),
          Buffer.from(`\uFEFF${sheet}`, 'utf16le').swap16(),
        ])
          expect((await check(bytes)).devices).toMatchObject([{ deviceId, deviceName: '灯(1)' }]);
    });

    it('reports a duplicate column, or ids that differ only in case', async () => {
      expect(await check('deviceId,MAC,mac\nx,1,2')).toMatchObject({
        valid: 0,
        refused: [{ index: 1, field: 'mac', message: 'Duplicate of an earlier entry' }],
      });
      const deviceId = unique('d-');
      expect(await check(`deviceId\n${deviceId}\n${deviceId.toUpperCase()}`)).toMatchObject({
        valid: 1,
        refused: [{ index: 3, field: 'deviceId', message: 'Duplicate of an earlier entry' }],
      });
    });

    it('reports every invalid row by line and field', async () => {
      const taken = await hub.create.device({ productId, applicationId });
      const good = unique('s');
      const rows = [
        'deviceId,deviceName,applicationId',
        good,
        'a b',
        `${unique('s')},"x\ny"`,
        taken,
        good,
        `${unique('s')},,nope`,
      ];
      const { total, valid, refused } = await check(rows.join('\n'));
      expect([total, valid]).toEqual([6, 1]);
      expect(refused.map(({ index, field, message }) => [index, field, message])).toEqual([
        [3, 'deviceId', '1-64 letters, digits or _ - . :'],
        [4, 'deviceName', expect.any(String)],
        [6, 'deviceId', 'This device ID is already in use'],
        [7, 'deviceId', 'Duplicate of an earlier entry'],
        [8, 'applicationId', 'Application does not exist'],
      ]);
    });

    it('reports the length of values that are too long, and each valid row with its line', async () => {
      const deviceId = unique('s');
      const sheet = `deviceId,deviceName\n${'x'.repeat(73)},\n${unique('s')},${'灯'.repeat(51)}\n${deviceId},`;
      const { refused, devices } = await check(sheet);
      expect(refused.map(({ field, message }) => [field, message])).toEqual([
        ['deviceId', 'Too long, 73 characters: 1-64 letters, digits or _ - . :'],
        ['deviceName', expect.stringMatching(/^Too long, 51 characters: 1-50 Chinese/)],
      ]);
      expect(devices).toMatchObject([{ line: 4, deviceId }]);
    });

    it('accepts cells as long as a spreadsheet can hold, and no longer', async () => {
      const deviceId = unique('s');
      const sheetWith = (note: string) => `deviceId,note\n${deviceId},${note}`;
      const most = 'x'.repeat(32_767);
      for (const note of [`"${most}"`, most, '5" pipe'])
        expect(await check(sheetWith(note))).toMatchObject({ valid: 1 });
      for (const note of [`"${most}x"`, `${most}x`, `"${'""'.repeat(40_000)}"`, '"a"'.repeat(20_000)])
        expect(await send(sheetWith(note))).toMatchObject({ statusCode: 413, code: 'TOO_LARGE' });
    });

    it('rejects a sheet without ids, too long, or of another’s product as a whole', async () => {
      const message = 'The file does not have this column';
      expect(await check('name\nx')).toMatchObject({
        total: 0,
        valid: 0,
        refused: [{ index: 1, field: 'deviceId', message }],
      });
      expect(await check('')).toMatchObject({ total: 0, refused: [{ field: 'deviceId' }] });
      expect(await send(`deviceId\n${'x\n'.repeat(DEVICE_FILE_MAX_ROWS + 1)}`)).toMatchObject({ statusCode: 413 });
      const foreign = await hub.create.tenancy();
      const theirs = await hub.create.product(foreign);
      expect(await send('deviceId\nx', { productId: theirs })).toMatchObject({ code: 'PRODUCT_NOT_FOUND' });
      const application = await hub.create.application(foreign);
      expect(await send('deviceId\nx', { applicationId: application })).toMatchObject({
        code: 'APPLICATION_NOT_FOUND',
      });
    });
  });

  describe('registerDevices', () => {
    it('registers the valid ones with a secret each, and gives reasons for the others', async () => {
      const [first, second] = [unique('r'), unique('r')];
      const taken = await hub.create.device({ productId, applicationId });
      const sent = {
        productId,
        devices: [{ deviceId: first }, { deviceId: taken }, { deviceId: 'a b' }, { deviceId: second, nonsense: 1 }],
      };
      const before = await countDevices();
      const chinese = await user.ok(deviceCalls.registerDevices, sent, { as: 'json', language: 'zh-CN' });
      expect(chinese.registered.map(({ deviceId }) => deviceId)).toEqual([first]);
      expect(chinese.refused.map(({ index, field, message }) => [index, field, message])).toEqual([
        [1, 'deviceId', '设备 ID 已被使用'],
        [2, 'deviceId', '1-64 个字母、数字或 _ - . :'],
        [3, 'nonsense', '未知字段'],
      ]);
      expect(await countDevices()).toBe(before + 1);
      const secret = chinese.registered[0]?.deviceSecret ?? '';
      expect((await login(hub.url, { productId, deviceId: first, secret })).token).toMatch(/./);
    });

    it('writes one audit entry, with totals, for an import in several requests', async () => {
      const importKey = unique('import');
      const other = await hub.create.user({ tenancyId, menus: [501] });
      const send = (caller: TestUser, importKey: string) =>
        caller.ok(
          deviceCalls.registerDevices,
          {
            productId,
            importKey,
            devices: [{ deviceId: unique('r') }, { deviceId: unique('r') }, { deviceId: 'a b' }],
          },
          { as: 'json' },
        );
      for (let piece = 0; piece < 3; piece++) await send(user, importKey);
      await send(user, unique('import'));
      await send(other, importKey);
      const { list } = await hub.admin.ok(auditCalls.queryAuditLogList, {
        action: 'registerDevices',
        target: productId,
      });
      expect(list.slice(0, 3).map(({ userId, after }) => [userId, after])).toEqual([
        [other.userId, { applicationId: '', registered: 2, refused: 1 }],
        [user.userId, { applicationId: '', registered: 2, refused: 1 }],
        [user.userId, { applicationId: '', registered: 6, refused: 3 }],
      ]);
    });

    it('gives each id to one of two concurrent imports', async () => {
      const devices = Array.from({ length: 20 }, () => ({ deviceId: unique('r') }));
      const both = await Promise.all(
        [1, 2].map(() => user.ok(deviceCalls.registerDevices, { productId, devices }, { as: 'json' })),
      );
      const registered = both.flatMap((answer) => answer.registered.map(({ deviceId }) => deviceId));
      expect(registered.sort()).toEqual(devices.map(({ deviceId }) => deviceId).sort());
      expect(both.flatMap((answer) => answer.refused)).toHaveLength(20);
    });
  });

  describe('the exported list', () => {
    it('contains every device of the filter, page by page, and no formula', async () => {
      const own = await hub.create.product(tenancyId, { applicationId });
      const devices = Array.from({ length: 200 }, (_, index) => ({
        deviceId: unique('e'),
        mac: index === 0 ? '-1-1' : '',
      }));
      for (let piece = 0; piece < 3; piece++) {
        const sent = {
          productId: own,
          devices: devices.map((one) => ({ ...one, deviceId: `${one.deviceId}-${piece}` })),
        };
        expect((await user.ok(deviceCalls.registerDevices, sent, { as: 'json' })).refused).toEqual([]);
      }
      const response = await fetch(`${hub.url}${deviceCalls.exportDeviceList.path}?productId=${own}`, {
        headers: { Authorization: user.token },
      });
      expect(response.headers.get('content-type')).toBe('text/csv; charset=utf-8');
      expect(response.headers.get('content-disposition')).toMatch(/^attachment; filename="devices_[\d-]+\.csv"$/);
      const bytes = Buffer.from(await response.arrayBuffer());
      expect([...bytes.subarray(0, 3)]).toEqual([0xef, 0xbb, 0xbf]);
      const lines = bytes.toString('utf8').trimEnd().split('\r\n');
      expect(lines[0]).toMatch(new RegExp(`^\uFEFF${sheetColumns.join(',')},applicationName,`));
      const ids = lines.slice(1).map((line) => line.split(',')[0]);
      expect(new Set(ids).size).toBe(600);
      expect(lines.filter((line) => line.includes(",'-1-1,"))).toHaveLength(3);
    });
  });
});
