import { deviceCalls, recordCalls } from '@device-center/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { firstSequenceIdAt } from '../src/platform/ids.ts';
import { connectRow, logRow, messageRow } from './device-records.ts';
import { describeOnEachEngine } from './engine.ts';
import { type Hub, type TestUser, unique } from './hub.ts';
import { sharedHub } from './in-process-hub.ts';

describeOnEachEngine(() => {
  type Whose = { tenancyId: string; productId: string; deviceId: string };

  let hub: Hub;
  let user: TestUser;
  let whose: Whose;

  const HOUR = 3_600_000;
  const born = Date.now() - 48 * HOUR;

  /** A device that has been there for two days. */
  const withAge = async (): Promise<Whose> => {
    const { tenancyId } = user;
    const productId = await hub.create.product(tenancyId);
    const deviceId = await hub.create.device({ productId, applicationId: await hub.create.application(tenancyId) });
    await hub.db.updateTable('device').set({ created_at: born }).where('device_id', '=', deviceId).execute();
    return { tenancyId, productId, deviceId };
  };

  /** At a time of one's own; records are numbered by their time. */
  const at = (time: number, place = 0) => ({ record_id: firstSequenceIdAt(time) + place });

  beforeAll(async () => {
    hub = await sharedHub();
    const tenancyId = await hub.create.tenancy();
    user = await hub.create.user({ tenancyId, menus: [501] });
    whose = await withAge();
  });
  afterAll(() => hub.close());

  describe('message records', () => {
    // Spec 7.90, 9.20, 9.21
    it('are filtered by kind, direction, name, number, type and time', async () => {
      const { deviceId } = whose;
      const message = (hour: number, more: object) => {
        const time = born + hour * HOUR;
        return messageRow(whose, { ...at(time), message_time: time, message_id: 10_000 + hour, ...more });
      };
      await hub.records
        .insertInto('message_record')
        .values([
          message(-1, {}),
          message(1, {}),
          message(2, { function_type: 22, function_id: 'Burnt_out', message_type: 3 }),
          message(3, { function_type: 21, function_id: 'online', message_type: 3 }),
          message(4, { function_type: 32, function_id: 'blink', message_type: 4, data_flow: 2 }),
          message(5, {
            function_type: 31,
            function_id: 'restart',
            message_type: 4,
            data_flow: 2,
            response: 1,
            code: 200,
          }),
          message(6, { function_type: 0, function_id: '', message_type: 7 }),
        ])
        .execute();
      const hours = async (sent: object) => {
        const page = await user.ok(recordCalls.deviceMessageRecord, { deviceId, sortMode: 1, ...sent });
        expect(page.total).toBe(page.list.length);
        return page.list.map((row) => Number(row.messageId) - 10_000);
      };
      // The one from before it was registered was another's of the same id.
      expect(await hours({})).toEqual([1, 2, 3, 4, 5, 6]);
      expect(await hours({ sortMode: 2 })).toEqual([6, 5, 4, 3, 2, 1]);
      expect(await hours({ functionType: 1 })).toEqual([1]);
      expect(await hours({ functionType: 2 })).toEqual([2, 3]);
      expect(await hours({ functionType: 3 })).toEqual([4, 5]);
      expect(await hours({ functionType: 0, dataFlow: 0 })).toEqual([1, 2, 3, 4, 5, 6]);
      expect(await hours({ dataFlow: 1 })).toEqual([1, 2, 3, 6]);
      expect(await hours({ dataFlow: 2 })).toEqual([4, 5]);
      expect(await hours({ functionId: 'BURNT_' })).toEqual([2]);
      expect(await hours({ messageId: '10003' })).toEqual([3]);
      expect(await hours({ messageId: 'x' })).toEqual([]);
      expect(await hours({ type: 7 })).toEqual([6]);
      expect(await hours({ startTime: born + 2 * HOUR, endTime: born + 4 * HOUR })).toEqual([2, 3]);
    });

    it('are exported newest first, without formulas', async () => {
      const own = await withAge();
      const rows = Array.from({ length: 1_200 }, (_, index) =>
        messageRow(own, { ...at(born + 10 * HOUR, index), message_id: index, value: index === 0 ? '=1+1' : '"a,b"' }),
      );
      for (let from = 0; from < rows.length; from += 400)
        await hub.records
          .insertInto('message_record')
          .values(rows.slice(from, from + 400))
          .execute();
      const answer = await user.send(recordCalls.exportDeviceMessages, { deviceId: own.deviceId });
      const lines = String(answer.data).trimEnd().split('\r\n');
      expect(lines).toHaveLength(1_201);
      expect(lines[1]).toContain(',1199,');
      expect(lines[1]).toContain('"""a,b"""');
      expect(lines.at(-1)).toContain(",'=1+1,");
    });
  });

  describe('device logs', () => {
    // Spec 1.8, 2.48, 7.79, 9.30
    it('are the latest thousand, from a level up, by text and time', async () => {
      const own = await withAge();
      const lines = Array.from({ length: 1_010 }, (_, index) => {
        const time = born + index * 1_000;
        return logRow(own, `line ${index}`, { ...at(time), log_time: time, level: index % 2 === 0 ? 4 : 6 });
      });
      for (let from = 0; from < lines.length; from += 505)
        await hub.records
          .insertInto('device_log')
          .values(lines.slice(from, from + 505))
          .execute();
      const read = (sent: object) =>
        user.ok(recordCalls.queryDeviceLogList, { deviceId: own.deviceId, pageSize: 2, ...sent });
      const newest = await read({});
      expect(newest).toMatchObject({
        total: 1_000,
        list: [{ log: 'line 1009', levelName: 'ERROR' }, { log: 'line 1008' }],
      });
      expect((await read({ sortMode: 1 })).list.map(({ log }) => log)).toEqual(['line 10', 'line 11']);
      expect((await read({ pageIndex: 500 })).list.map(({ log }) => log)).toEqual(['line 11', 'line 10']);
      expect(await read({ level: 5 })).toMatchObject({ total: 505 });
      expect((await read({ searchValue: 'LINE 100' })).total).toBe(11);
      expect(await read({ startTime: born, endTime: born + 2_000 })).toMatchObject({ total: 2 });
    });

    // Spec 7.88
    it('of a day are a file, found by its exact name in the own tenant only', async () => {
      const own = await withAge();
      const day = new Date(born).toISOString().slice(0, 10);
      const start = Date.parse(`${day}T00:00:00Z`);
      const rows = [
        logRow(own, 'noon\u001b[2J \u202etxt', { ...at(born + 2), log_time: start + 12 * HOUR }),
        logRow(own, 'first\nsecond', { ...at(born + 1), log_time: start, level: 7 }),
        logRow(own, 'next day', { ...at(born + 3), log_time: start + 24 * HOUR }),
      ];
      await hub.records.insertInto('device_log').values(rows).execute();
      await hub.records
        .insertInto('device_log_day')
        .values({ device_id: own.deviceId, log_day: day, lines: 2 })
        .execute();
      const { logFiles } = await user.ok(deviceCalls.getDeviceDetails, { deviceId: own.deviceId });
      const logFileName = `${own.deviceId}_${day}.log`;
      expect(logFiles).toEqual([logFileName]);
      expect((await user.send(recordCalls.downloadDeviceLogFile, { logFileName })).data).toBe(
        `${day}T00:00:00.000Z FATAL first\n\tsecond\n${day}T12:00:00.000Z INFO  noon␛[2J ⟨U+202E⟩txt\n`,
      );
      const foreign = await hub.create.user({ tenancyId: await hub.create.tenancy(), menus: [501] });
      const missing = { statusCode: 404, code: 'FILE_NOT_FOUND', message: 'File does not exist' };
      expect(await foreign.send(recordCalls.downloadDeviceLogFile, { logFileName })).toMatchObject(missing);
      const wrong = [
        `${own.deviceId}_2024-02-30.log`,
        `${own.deviceId}_2001-01-01.log`,
        `../${logFileName}`,
        `${logFileName}x`,
      ];
      for (const name of wrong)
        expect(await user.send(recordCalls.downloadDeviceLogFile, { logFileName: name })).toMatchObject(missing);
    });
  });

  describe('connection events', () => {
    // Spec 7.89
    it('are listed by status, without those of another tenant’s device of the same id', async () => {
      const own = await withAge();
      const foreign = { ...own, tenancyId: 'another' };
      await hub.records
        .insertInto('connect_record')
        .values([
          connectRow(own, 3, { reason: 'SIGNATURE', place: 'login' }),
          connectRow(own, 1),
          connectRow(foreign, 1),
          connectRow(own, 2, { reason: 'keepAlive', duration_ms: 77 }),
        ])
        .execute();
      const read = (sent: object) => user.ok(recordCalls.deviceConnectRecord, { deviceId: own.deviceId, ...sent });
      expect((await read({})).list.map(({ status }) => status)).toEqual([2, 1, 3]);
      expect(await read({ status: 2 })).toMatchObject({ total: 1, list: [{ reason: 'keepAlive', durationMs: 77 }] });
    });

    // Spec 9.31
    it('of a device are the latest thousand', async () => {
      const own = await withAge();
      const rows = Array.from({ length: 1_010 }, (_, index) => {
        const time = born + index * 1_000;
        return connectRow(own, index % 2 === 0 ? 1 : 2, { ...at(time), connect_time: time });
      });
      for (let from = 0; from < rows.length; from += 505)
        await hub.records
          .insertInto('connect_record')
          .values(rows.slice(from, from + 505))
          .execute();
      const read = (sent: object) =>
        user.ok(recordCalls.deviceConnectRecord, { deviceId: own.deviceId, pageSize: 2, ...sent });
      const secondsOf = async (sent: object) =>
        (await read(sent)).list.map(({ connectTime }) => (Date.parse(connectTime) - born) / 1_000);
      expect((await read({})).total).toBe(1_000);
      expect(await secondsOf({})).toEqual([1_009, 1_008]);
      expect(await secondsOf({ pageIndex: 500 })).toEqual([11, 10]);
      expect(await secondsOf({ pageIndex: 501 })).toEqual([]);
    });

    it('rejected at login are listed by product, also of unknown ids', async () => {
      const own = await withAge();
      const unknown = { ...own, deviceId: unique('UNKNOWN') };
      await hub.records
        .insertInto('connect_record')
        .values([connectRow(unknown, 3, { reason: 'SIGNATURE' }), connectRow(own, 1)])
        .execute();
      const read = (sent: object) => user.ok(recordCalls.queryRefusedLogins, { productId: own.productId, ...sent });
      expect((await read({})).list).toMatchObject([{ deviceId: unknown.deviceId, reason: 'SIGNATURE' }]);
      expect((await read({ deviceId: unknown.deviceId.toLowerCase() })).total).toBe(1);
      expect((await read({ deviceId: own.deviceId })).total).toBe(0);
      expect(await read({ tenancyId: '1' })).toMatchObject({ total: 0, list: [] });
    });

    it('of rejections are grouped by device and reason, the latest first, page by page', async () => {
      const own = await withAge();
      const nobody = { ...own, deviceId: unique('nobody') };
      const minute = (index: number) => {
        const time = born + index * 60_000;
        return { ...at(time, 900), connect_time: time };
      };
      await hub.records
        .insertInto('connect_record')
        .values([
          connectRow(own, 3, { reason: 'SIGNATURE', ...minute(1) }),
          connectRow(own, 3, { reason: 'SIGNATURE', ip: '10.0.0.9', ...minute(4) }),
          connectRow(own, 3, { reason: 'CLOCK', ...minute(2) }),
          connectRow(nobody, 3, { reason: 'SIGNATURE', ...minute(3) }),
          connectRow(own, 1, minute(5)),
        ])
        .execute();
      const read = (sent: object) =>
        user.ok(recordCalls.queryRefusedLoginGroups, { productId: own.productId, ...sent });
      const { deviceName } = await user.ok(deviceCalls.getDeviceDetails, { deviceId: own.deviceId });
      const time = (index: number) => new Date(born + index * 60_000).toISOString();
      const groups = [
        { deviceId: own.deviceId, deviceName, reason: 'SIGNATURE', count: 2, firstTime: time(1), lastTime: time(4) },
        { deviceId: nobody.deviceId, deviceName: '', reason: 'SIGNATURE', count: 1, lastTime: time(3) },
        { deviceId: own.deviceId, reason: 'CLOCK', count: 1, firstTime: time(2), lastTime: time(2) },
      ];
      const all = await read({});
      expect(all).toMatchObject({ total: 3, list: groups });
      expect(all.list[0]).toMatchObject({ ip: '10.0.0.9', productName: expect.stringMatching(/./) });
      expect(await read({ sortMode: 1 })).toMatchObject({ list: groups.toReversed() });
      for (const [place, group] of groups.entries())
        expect(await read({ pageSize: 1, pageIndex: place + 1 })).toMatchObject({ total: 3, list: [group] });
      expect(await read({ pageSize: 1, pageIndex: 4 })).toMatchObject({ total: 3, list: [] });
      expect(await read({ deviceId: nobody.deviceId.toUpperCase() })).toMatchObject({ total: 1, list: [groups[1]] });
      expect(await read({ tenancyId: '1' })).toMatchObject({ total: 0, list: [] });
    });
  });

  it('returns the latest value of each property, and the history of one', async () => {
    const { deviceId } = await withAge();
    const sample = (hour: number, value: unknown, sign_code = 'level') => {
      const sample_time = born + hour * HOUR;
      return { device_id: deviceId, sign_code, sample_time, ...at(sample_time), value: JSON.stringify(value) };
    };
    await hub.records
      .insertInto('property_sample')
      .values([sample(1, 1), sample(2, 2), sample(3, 3), sample(3, '9', 'big')])
      .execute();
    await hub.records
      .insertInto('latest_value')
      .values([sample(3, 3), sample(3, '9', 'big')])
      .execute();
    expect(await user.ok(recordCalls.getLatestValues, { deviceId })).toMatchObject([
      { signCode: 'big', value: '9' },
      { signCode: 'level', value: 3 },
    ]);
    const history = async (sent: object) =>
      (await user.ok(recordCalls.getPropertyHistory, { deviceId, signCode: 'level', ...sent })).map(
        ({ value }) => value,
      );
    expect(await history({})).toEqual([3, 2, 1]);
    expect(await history({ limit: 2 })).toEqual([3, 2]);
    expect(await history({ startTime: born + HOUR, endTime: born + 3 * HOUR })).toEqual([2, 1]);
    expect(await history({ signCode: 'none' })).toEqual([]);
  });
});
