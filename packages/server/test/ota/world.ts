import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import pino from 'pino';
import { connect, connectRecords, type Db } from '../../src/db/connect.ts';
import { migrate } from '../../src/db/migrate.ts';
import { createUpgradeReports } from '../../src/features/connectivity/upgrade-reports.ts';
import { createOtaActions } from '../../src/features/ota/ota.actions.ts';
import { createOtaCreation } from '../../src/features/ota/ota.creation.ts';
import { createDispatch, type Dispatch } from '../../src/features/ota/ota.dispatch.ts';
import type { Context } from '../../src/platform/actor.ts';
import { readSettings } from '../../src/platform/settings.ts';
import { firstBoot } from '../../src/startup/first-boot.ts';
import { postgresServer } from '../engine.ts';
import { createEnvironment } from '../environment.ts';

export const TARGETS = ['2.0.0', '3.0.0'] as const;
export const PRODUCT = 'ModelProd1';
/** Every sequence starts here: thousands in a row would otherwise reach years without schedules. */
export const START = Date.parse('2031-03-01T00:00:00Z');
const PLATFORM = '1';

const silent = { send: () => undefined };

/** In memory when possible: these tests check the order of events, not durability. */
const newFolder = (): string => mkdtempSync(join(existsSync('/dev/shm') ? '/dev/shm' : tmpdir(), 'dc-ota-'));

const fill = async (db: Db): Promise<void> => {
  const times = { created_at: 1, updated_at: 1 };
  const words = { tenancy_id: PLATFORM, creator: 'admin' };
  await db
    .insertInto('category')
    .values({
      category_id: 'c1',
      tenancy_id: PLATFORM,
      category_name: 'cat',
      category_name_key: 'cat',
      search_key: 'cat',
      description: '',
      model_version: 1,
      ...times,
    })
    .onConflict((row) => row.doNothing())
    .execute();
  await db
    .insertInto('application')
    .values({
      application_id: 'a1',
      tenancy_id: PLATFORM,
      application_name: 'app',
      application_name_key: 'app',
      enabled: 1,
      creator: 'admin',
      ...times,
    })
    .execute();
  await db
    .insertInto('product')
    .values({
      product_id: PRODUCT,
      tenancy_id: PLATFORM,
      category_id: 'c1',
      product_name: 'lamp',
      product_name_key: 'lamp',
      product_id_key: 'modelprod1',
      description: '',
      node_type: 1,
      protocol_id: 1,
      class_id: 1,
      application_id: 'a1',
      secret_sealed: '',
      allow_register: 1,
      allow_md5: 1,
      model_version: 1,
      function_count: 0,
      creator: 'admin',
      ...times,
    })
    .execute();
  for (const number of TARGETS) {
    const file = {
      nick_name: 'f.bin',
      size: 1,
      state: 'ready',
      fault: '',
      md5: '',
      sha256: '',
      checker_until: 0,
    } as const;
    await db
      .insertInto('firmware_file')
      .values({ file_id: `f${number}`, ...words, ...file, ...times })
      .execute();
    const named = {
      version_name: number,
      version_name_key: number,
      version_number: number,
      version_number_key: number,
    };
    const manifest = JSON.stringify({ content: '{}', signature: '', keyId: '' });
    await db
      .insertInto('ota_version')
      .values({
        version_id: `v${number}`,
        product_id: PRODUCT,
        file_id: `f${number}`,
        nick_name: 'f.bin',
        manifest,
        ...named,
        ...words,
        ...times,
      })
      .execute();
  }
};

/** The upgrade engine on a real database, with a simulated clock and two dispatching hubs. */
export const createWorld = async () => {
  const environment = postgresServer() ? await createEnvironment() : undefined;
  const folder = newFolder();
  const settings = readSettings({ ...environment?.env, DATA_DIR: folder, ADMIN_PASSWORD: 'Adm1n-pass' });
  await migrate(settings);
  const db = connect(settings);
  await firstBoot(db, settings);
  const records = connectRecords(settings);
  await fill(db);
  const clock = { time: START };
  const now = (): number => clock.time;
  const log = pino({ level: 'error' });
  const actor = {
    userId: '1',
    username: 'admin',
    name: '',
    tenancyId: PLATFORM,
    platform: true,
    roleId: '1',
    menus: new Set([602]),
    sessionId: '',
    firstLogin: false,
    keyId: '',
  };
  const context: Context = {
    actor,
    language: 'en_US',
    ip: '',
    userAgent: '',
    requestId: '',
    token: '',
    hostname: '',
    action: 'ota.test',
  };
  const newDispatch = (): Dispatch =>
    createDispatch({
      db,
      log,
      linkFor: ({ recordNo, attempt }) => `/${recordNo}/${attempt}`,
      notifyCommand: () => undefined,
      now,
      claimTime: () => sql<number>`cast(${clock.time} as bigint)`,
    });
  return {
    db,
    records,
    clock,
    context,
    newDispatch,
    creation: createOtaCreation({ db, notifier: silent, now }),
    actions: createOtaActions({ db, notifier: silent, wake: () => undefined, now }),
    upgrades: createUpgradeReports({ db, log, notifyUpgrade: () => undefined, now }),
    close: async (): Promise<void> => {
      await db.destroy();
      await records.destroy();
      rmSync(folder, { recursive: true, force: true });
    },
  };
};

export type World = Awaited<ReturnType<typeof createWorld>>;
