import {
  bareFunction,
  checkParams,
  checkValue,
  defaultFunctionValue,
  type Language,
  type MockProfile,
  type MockRow,
  type MockRun,
  type MockStep,
  type MockUpgradeFault,
  type ModelFunction,
  mockUpgradeFaults,
  type SignMethod,
  type ValueProblem,
} from '@device-center/contract';
import { type Selectable, sql } from 'kysely';
import { databaseTime } from '../../db/clock.ts';
import type { Db } from '../../db/connect.ts';
import type { MockDeviceTable } from '../../db/hub-tables.ts';
import { storedJson, storedSecret } from '../../db/stored.ts';
import { type DeviceRecord, deviceAnswer, findDevice, readDeviceRows } from '../../domain/device/devices.ts';
import { productFunctionsOf, type StoredFunction } from '../../domain/model/functions.ts';
import type { Actor } from '../../platform/actor.ts';
import { AppError } from '../../platform/app-error.ts';
import type { SecretBox } from '../../platform/secret-box.ts';

export type MockRecord = Selectable<MockDeviceTable>;
type RunnerState = { has_runner: 1 | 0 };

export const mocksWithRunner = (db: Db) =>
  db
    .selectFrom('mock_device')
    .selectAll()
    .select(
      sql<1 | 0>`case when runner <> '' and runner_until > ${databaseTime(db)} then 1 else 0 end`.as('has_runner'),
    );

/** A mock device that the caller may see. A real device is not found, so that its secret is never readable. */
export const findMock = async (
  db: Db,
  actor: Actor,
  deviceId: string,
): Promise<{ device: DeviceRecord; mock: MockRecord & RunnerState }> => {
  const device = await findDevice(db, actor, deviceId);
  const mock = await mocksWithRunner(db).where('device_id', '=', deviceId).executeTakeFirst();
  if (!mock || device.mock !== 1) throw new AppError('DEVICE_NOT_FOUND', {}, 'deviceId');
  return { device, mock };
};

export const mockAnswer = (
  language: Language,
  device: DeviceRecord,
  mock: (MockRecord & RunnerState) | undefined,
): MockRow => ({
  ...deviceAnswer(language, device),
  runInHub: mock?.run_in_hub ?? 0,
  runningInHub: mock?.has_runner === 1 && device.online === 1 ? 1 : 0,
});

export const sequenceOf = (mock: Pick<MockRecord, 'device_id' | 'sequence'>) =>
  storedJson<MockStep[]>(mock.sequence, 'mock_device', mock.device_id);

export const runOf = (mock: MockRecord): MockRun => ({
  runInHub: mock.run_in_hub,
  mode: mock.run_mode,
  everySeconds: mock.every_s,
  sequence: sequenceOf(mock),
});

export const defaultsIn = (mock: MockRecord) =>
  storedJson<Record<string, unknown>>(mock.defaults, 'mock_device', mock.device_id);

const upgradeFaultOf = (mock: MockRecord): MockUpgradeFault =>
  mockUpgradeFaults.find((fault) => fault === mock.upgrade_fault) ?? '';

/** A default is what the device sends: a property's value, or the output of an event or service. */
export const problemsOfDefault = (entry: ModelFunction, value: unknown): ValueProblem[] =>
  entry.functionType === 1
    ? checkValue(entry.functionDefinition.dataType, value)
    : checkParams(entry.functionDefinition.output, value);

/** Saved values that fit the current model; for the other functions the defaults of the model. */
export const defaultsOf = (functions: StoredFunction[], mock: MockRecord) => {
  const savedValues = new Map(Object.entries(defaultsIn(mock)));
  return functions.map((entry) => {
    const value = savedValues.get(entry.signCode);
    const saved = savedValues.has(entry.signCode) && problemsOfDefault(entry, value).length === 0;
    return { entry, saved, value: saved ? value : defaultFunctionValue(entry) };
  });
};

/** The models of several devices; each product's model is read once. */
const modelsOf = async (db: Db, productIds: string[]): Promise<Map<string, StoredFunction[]>> => {
  const models = new Map<string, StoredFunction[]>();
  for (const productId of new Set(productIds)) models.set(productId, await productFunctionsOf(db, productId));
  return models;
};

const signMethodsOf = async (db: Db, productIds: string[]): Promise<Map<string, SignMethod>> => {
  const rows = await db
    .selectFrom('product')
    .select(['product_id', 'allow_md5'])
    .where('product_id', 'in', productIds)
    .execute();
  return new Map(rows.map((row) => [row.product_id, row.allow_md5 === 1 ? 'md5' : 'hmacsha256']));
};

type MockWithDevice = { device: DeviceRecord; mock: MockRecord };

/** Everything that is needed to run these devices. */
export const profilesOf = async (db: Db, secrets: SecretBox, mocks: MockWithDevice[]): Promise<MockProfile[]> => {
  const productIds = mocks.map(({ device }) => device.product_id);
  if (productIds.length === 0) return [];
  const [models, methods] = [await modelsOf(db, productIds), await signMethodsOf(db, productIds)];
  return mocks.map(({ device, mock }) => {
    const functions = models.get(device.product_id) ?? [];
    return {
      deviceId: device.device_id,
      deviceName: device.device_name,
      versionNumber: device.version_number,
      upgradeFault: upgradeFaultOf(mock),
      productId: device.product_id,
      productName: device.product_name,
      online: device.online,
      deviceSecret: storedSecret(secrets, device.secret_sealed, 'device', device.device_id),
      signMethod: methods.get(device.product_id) ?? 'hmacsha256',
      functions: functions.map(bareFunction),
      defaults: Object.fromEntries(defaultsOf(functions, mock).map(({ entry, value }) => [entry.signCode, value])),
    };
  });
};

/** The children of a mock gateway in the order of their creation. */
export const childrenOf = async (db: Db, gatewayId: string): Promise<MockWithDevice[]> => {
  const mocks = await db.selectFrom('mock_device').selectAll().where('gateway_id', '=', gatewayId).execute();
  const devices = await readDeviceRows(
    db,
    mocks.map((mock) => mock.device_id),
  );
  const byId = new Map(mocks.map((mock) => [mock.device_id, mock]));
  return devices
    .sort((left, right) => left.created_at - right.created_at || (left.device_id < right.device_id ? -1 : 1))
    .flatMap((device) => {
      const mock = byId.get(device.device_id);
      return mock ? [{ device, mock }] : [];
    });
};
