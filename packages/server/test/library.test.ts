import {
  accountCalls,
  categoryCalls,
  fields,
  type Language,
  languages,
  modelOfCategory,
} from '@device-center/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { connect, type Db } from '../src/db/connect.ts';
import { type Client, createClient } from './client.ts';
import { describeOnEachEngine } from './engine.ts';
import { createEnvironment, type Environment } from './environment.ts';
import { ADMIN_PASSWORD } from './hub.ts';
import { startInProcessHub } from './in-process-hub.ts';

describeOnEachEngine(() => {
  let environment: Environment;
  let db: Db;
  let hub: Awaited<ReturnType<typeof startInProcessHub>>;
  let admin: Client;

  const start = async (): Promise<void> => {
    hub = await startInProcessHub({ ...environment.env, ADMIN_PASSWORD });
    const sent = { username: 'admin', password: ADMIN_PASSWORD };
    const { token } = await createClient(hub.url).ok(accountCalls.login, sent);
    admin = createClient(hub.url, token);
  };

  beforeAll(async () => {
    environment = await createEnvironment();
    await start();
    db = connect({ DATABASE_URL: environment.env.DATABASE_URL, DATA_DIR: environment.env.DATA_DIR ?? '' });
  });
  afterAll(async () => {
    await hub.stop();
    await db.destroy();
    await environment.dispose();
  });

  const header = (language: Language) => ({ language: language.replace('_', '-') });
  const categoriesIn = async (language: Language) =>
    (await admin.ok(categoryCalls.getCategoryList, { pageSize: 200 }, header(language))).list;
  const functionsIn = async (language: Language, categoryId: string) =>
    (await admin.ok(categoryCalls.getOpenFunctions, { categoryId, pageSize: 200 }, header(language))).list;

  const NAMES = [
    ['照明灯具', 'Lighting'],
    ['智能插座', 'Smart-socket'],
    ['空调设备', 'Air-conditioner'],
    ['环境传感器', 'Environment-sensor'],
    ['水浸传感器', 'Water-leak-sensor'],
    ['智能电表', 'Electricity-meter'],
    ['智能门锁', 'Door-lock'],
    ['网络摄像机', 'Network-camera'],
    ['物联网关', 'IoT-gateway'],
  ];

  /** Without translated fields: both languages must be equal. */
  const shapeOf = (value: unknown): unknown =>
    JSON.parse(
      JSON.stringify(value, (key, inner: unknown) =>
        /^(functionName|name|description|trueText|falseText|categoryName)$/.test(key) ? '' : inner,
      ),
    );

  const CHINESE = /[\u4e00-\u9fff]/;

  describe('the standard categories of a new hub', () => {
    it('are nine, in order, in both languages', async () => {
      const [chinese, english] = [await categoriesIn('zh_CN'), await categoriesIn('en_US')];
      expect(chinese.map(({ categoryName }, index) => [categoryName, english[index]?.categoryName])).toEqual(NAMES);
      for (const row of [...chinese, ...english]) {
        expect(row).toMatchObject({ standard: 1, tenancyId: '1', modelVersion: 1, productCount: 0 });
        expect(row.description).not.toBe('');
        expect(row.propertyCount).toBeGreaterThan(2);
        expect(row.serviceCount + row.eventCount).toBeGreaterThan(1);
      }
    });

    it.each(languages)('obey every rule in %s', async (language) => {
      for (const { categoryId, categoryName, description } of await categoriesIn(language)) {
        expect(fields.categoryName().safeParse(categoryName).success, categoryName).toBe(true);
        expect(fields.description().safeParse(description).success, description).toBe(true);
        const functions = (await functionsIn(language, categoryId)).map(
          ({ id, signCode, functionName, functionType, description: text, functionDefinition }) => ({
            id,
            signCode,
            functionName,
            functionType,
            description: text,
            functionDefinition,
          }),
        );
        const parsed = modelOfCategory().safeParse(functions);
        expect(parsed.error?.issues ?? [], categoryName).toEqual([]);
        expect(parsed.data).toEqual(functions);
      }
    });

    it('have both languages, and no English text is Chinese', async () => {
      for (const { categoryId } of await categoriesIn('en_US')) {
        const [chinese, english] = [await functionsIn('zh_CN', categoryId), await functionsIn('en_US', categoryId)];
        expect(shapeOf(chinese)).toEqual(shapeOf(english));
        expect(JSON.stringify(english)).not.toMatch(CHINESE);
        expect(chinese.filter(({ functionName }) => CHINESE.test(functionName)).length).toBeGreaterThan(
          chinese.length / 2,
        );
      }
      expect(JSON.stringify(await categoriesIn('en_US'))).not.toMatch(CHINESE);
    });
  });

  describe('changes of an operator to standard categories', () => {
    it('survive a restart of the hub', async () => {
      await admin.ok(categoryCalls.deleteCategory, { categoryId: 'std-camera' });
      await admin.ok(categoryCalls.updateCategory, { categoryId: 'std-socket', categoryName: 'Plug-1' });
      await admin.ok(categoryCalls.deleteOpenFunction, { id: 'std-lighting-power' });
      const rows = async () => [
        await db.selectFrom('category').selectAll().orderBy('category_id').execute(),
        await db.selectFrom('open_function').selectAll().orderBy('function_id').execute(),
      ];
      const before = await rows();
      for (const _again of [1, 2]) {
        expect(await hub.stop()).toBe(0);
        await start();
        expect(await rows()).toEqual(before);
      }
      const names = (await categoriesIn('en_US')).map(({ categoryName }) => categoryName);
      expect(names).toHaveLength(8);
      expect(names).toContain('Plug-1');
      expect(names).not.toContain('Network-camera');
      const codes = (await functionsIn('en_US', 'std-lighting')).map(({ signCode }) => signCode);
      expect(codes).not.toContain('power');
    });
  });
});
