import {
  applicationCalls,
  type Call,
  categoryCalls,
  deviceCalls,
  productCalls,
  roleCalls,
  tenancyCalls,
  userCalls,
} from '@device-center/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { describeOnEachEngine } from './engine.ts';
import type { Hub, TestUser } from './hub.ts';
import { sharedHub } from './in-process-hub.ts';
import { idAt, insertPagedRows, MINUTE, ROWS, START } from './paged-rows.ts';
import { createReader } from './tenants.ts';

/** Several pages, one row left for the last page, exactly one page, and room to spare; the long form adds more. */
const PAGE_SIZES = process.env.TEST_LONG ? [1, 4, 10, 26, 27, 200] : [4, 26, 27, 200];

describeOnEachEngine(() => {
  let hub: Hub;
  let tenancyId: string;
  let operator: TestUser;

  beforeAll(async () => {
    hub = await sharedHub();
    tenancyId = await hub.create.tenancy();
    operator = await createReader(hub, '1');
    await insertPagedRows(hub, tenancyId);
  });
  afterAll(() => hub.close());

  type Listed = { pageIndex: number; pageSize: number; total: number; list: Record<string, unknown>[] };
  type Subject = { kind: string; call: Call; word: string; idField: string };

  const subjects: Subject[] = [
    { kind: 'app', call: applicationCalls.queryApplicationList, word: 'searchValue', idField: 'applicationId' },
    { kind: 'role', call: roleCalls.queryRoleList, word: 'roleName', idField: 'roleId' },
    { kind: 'user', call: userCalls.queryUserList, word: 'username', idField: 'userId' },
    { kind: 'tenancy', call: tenancyCalls.queryTenancyList, word: 'tenancyName', idField: 'tenancyId' },
    { kind: 'category', call: categoryCalls.getCategoryList, word: 'searchValue', idField: 'categoryId' },
    { kind: 'product', call: productCalls.queryDeviceProductList, word: 'productName', idField: 'productId' },
    { kind: 'device', call: deviceCalls.queryDeviceList, word: 'deviceName', idField: 'deviceId' },
  ];

  describe.each(subjects)('the list of $kind rows', ({ kind, call, word, idField }) => {
    const read = async (sent: object): Promise<Listed> => {
      const answer = await operator.send(call, { [word]: 'PAGED', ...sent });
      if (!answer.success) throw new Error(JSON.stringify(answer));
      return call.output.parse(answer.data) as Listed;
    };
    const idsOf = ({ list }: Listed): unknown[] => list.map((row) => row[idField]);
    const inOrder = Array.from({ length: ROWS }, (_, index) => idAt(kind, index));

    // Spec 7.27, 7.35, 7.40, 7.47, 7.53, 9.5
    it('returns ten, newest first, by default', async () => {
      const page = await read({});
      expect(page).toMatchObject({ pageIndex: 1, pageSize: 10, total: ROWS });
      expect(idsOf(page)).toEqual(inOrder.toReversed().slice(0, 10));
    });

    // Spec 7.27, 7.35, 7.40, 7.47, 9.9, 9.10
    it.each([
      [1, 1, false],
      [1, 2, true],
      [2, 1, true],
      [2, 2, false],
    ])(
      'sorted by %i in direction %i returns every row once over its pages, of any size',
      async (sortField, sortMode, reversed) => {
        const expected = reversed ? inOrder.toReversed() : inOrder;
        for (const pageSize of PAGE_SIZES) {
          const pages = Math.ceil(ROWS / pageSize);
          const seen: unknown[] = [];
          const indexes = Array.from({ length: pages }, (_, index) => index + 1);
          const all = await Promise.all(indexes.map((pageIndex) => read({ sortField, sortMode, pageIndex, pageSize })));
          for (const [index, page] of all.entries()) {
            const pageIndex = index + 1;
            expect(page).toMatchObject({ pageIndex, pageSize, total: ROWS });
            expect(page.list.length).toBe(pageIndex < pages ? pageSize : ROWS - pageSize * (pages - 1));
            seen.push(...idsOf(page));
          }
          expect(seen).toEqual(expected);
        }
      },
    );

    // Spec 9.5
    it('is empty beyond its end, with the total', async () => {
      for (const pageIndex of [4, 1_000_000]) {
        const page = await read({ pageIndex });
        expect(page).toMatchObject({ pageIndex, total: ROWS, list: [] });
      }
    });

    it('returns times in UTC', async () => {
      const page = await read({ sortMode: 1, pageSize: 1 });
      expect(page.list[0]).toMatchObject({
        createTime: '2024-05-06T07:08:09.000Z',
        updateTime: '2024-05-06T07:35:09.000Z',
      });
    });
  });

  describe('roles filtered by time', () => {
    const names = async (sent: object): Promise<string[]> => {
      const page = await hub.admin.ok(roleCalls.queryRoleList, {
        roleName: 'paged',
        sortMode: 1,
        pageSize: 200,
        ...sent,
      });
      return page.list.map(({ roleId }) => roleId);
    };
    const at = (minute: number) => new Date(START + minute * MINUTE).toISOString();

    // Spec 7.27
    it('include the start and exclude the end', async () => {
      expect(await names({ startTime: at(1), endTime: at(3) })).toEqual(
        [2, 3, 4, 5].map((index) => idAt('role', index)),
      );
      expect(await names({ startTime: at(13) })).toEqual([idAt('role', 26)]);
      expect(await names({ endTime: at(1) })).toEqual([idAt('role', 0), idAt('role', 1)]);
      expect(await names({ startTime: at(2), endTime: at(2) })).toEqual([]);
      expect(await names({ startTime: '', endTime: '' })).toHaveLength(ROWS);
    });

    it('are the same in any zone and in milliseconds', async () => {
      const expected = [2, 3].map((index) => idAt('role', index));
      const ranges = [
        { startTime: String(START + MINUTE), endTime: String(START + 2 * MINUTE) },
        { startTime: '2024-05-06T15:09:09+08:00', endTime: '2024-05-06T15:10:09+08:00' },
        { startTime: '2024-05-06T03:09:09-0400', endTime: at(2) },
        { startTime: String(START + 1), endTime: String(START + MINUTE + 1) },
      ];
      for (const range of ranges) expect(await names(range)).toEqual(expected);
    });
  });

  describe('search', () => {
    const NAMES = [
      'Alpha_1',
      'AlphaX1',
      '中文应用',
      '中文(b)',
      'ünï',
      '100%',
      '100x',
      'back\\slash',
      'backXslash',
      "quo'te",
      'ＷＩＤＥ',
    ];

    beforeAll(async () => {
      // Today's rules reject some of these names; a search must handle stored ones.
      const rows = NAMES.map((name, index) => ({
        application_id: idAt('found', index),
        tenancy_id: 'tenancy000',
        application_name: name,
        application_name_key: name.normalize('NFKC').toLowerCase(),
        enabled: 1 as const,
        creator: 'x',
        created_at: START,
        updated_at: START,
      }));
      await hub.db.insertInto('application').values(rows).execute();
    });

    const found = async (searchValue: string): Promise<string[]> => {
      const page = await hub.admin.ok(applicationCalls.queryApplicationList, { searchValue, tenancyId: 'tenancy000' });
      return page.list.map(({ applicationName }) => applicationName).sort();
    };

    it.each([
      ['%', ['100%']],
      ['_', ['Alpha_1']],
      ['\\', ['back\\slash']],
      ['a_1', ['Alpha_1']],
      ['0%', ['100%']],
      ["'", ["quo'te"]],
      ['ALPHA', ['AlphaX1', 'Alpha_1']],
      ['alphax', ['AlphaX1']],
      ['中文', ['中文(b)', '中文应用']],
      ['文应', ['中文应用']],
      ['(B)', ['中文(b)']],
      ['ÜNÏ', ['ünï']],
      ['wide', ['ＷＩＤＥ']],
      ['Ａｌｐｈａ＿', ['Alpha_1']],
      ['  alpha_  ', ['Alpha_1']],
      ['%%', []],
      ["' or '1'='1", []],
      ['zzz', []],
    ])('for %j finds only rows that contain it', async (word, expected) => {
      expect(await found(word)).toEqual([...expected].sort());
    });

    it('for an empty text finds all rows', async () => {
      for (const word of ['', '   ']) expect(await found(word)).toHaveLength(10);
    });

    // Spec 7.35
    it('of users matches name, account and phone separately', async () => {
      const sent = { tenancyId, pageSize: 200 };
      await hub.db
        .updateTable('user_account')
        .set({ phone: '13812345678', name: '韩梅梅', name_key: '韩梅梅' })
        .where('user_id', '=', 'user003')
        .execute();
      const ids = async (more: object) =>
        (await hub.admin.ok(userCalls.queryUserList, { ...sent, ...more })).list.map(({ userId }) => userId);
      expect(await ids({ name: '梅' })).toEqual(['user003']);
      expect(await ids({ phone: '1234' })).toEqual(['user003']);
      expect(await ids({ username: 'PAGED3', name: '韩' })).toEqual(['user003']);
      expect(await ids({ username: 'paged4', name: '韩' })).toEqual([]);
    });
  });
});
