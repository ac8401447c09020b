import {
  fieldPath,
  type Input,
  MOCK_FIRST_DATA_ID,
  MOCK_RUNS_MAX,
  MOCK_TENANT,
  type mockCalls,
  type Output,
  PROTOCOL_VERSION,
  valueProblemText,
} from '@device-center/contract';
import type { Db } from '../../db/connect.ts';
import { containsAny } from '../../db/contains.ts';
import { isOtherTenant, lockTenancies, scopeOf } from '../../db/scope.ts';
import { withAudit } from '../../db/with-audit.ts';
import { auditOfDevice, devicesOf, lockDevices, readDeviceRecords } from '../../domain/device/devices.ts';
import { requestDisconnect } from '../../domain/device/instructions.ts';
import { productFunctionsOf } from '../../domain/model/functions.ts';
import { BadInput } from '../../http/parse-input.ts';
import type { Context } from '../../platform/actor.ts';
import { AppError } from '../../platform/app-error.ts';
import type { Notifier } from '../../platform/notifier.ts';
import type { SecretBox } from '../../platform/secret-box.ts';
import {
  childrenOf,
  defaultsIn,
  defaultsOf,
  findMock,
  mockAnswer,
  mocksWithRunner,
  problemsOfDefault,
  profilesOf,
  runOf,
} from './mock.queries.ts';

type Calls = typeof mockCalls;
type Deps = {
  db: Db;
  secrets: SecretBox;
  notifier: Pick<Notifier, 'send'>;
  deleteDevices: (context: Context, input: { deviceIds: string[] }) => Promise<null>;
};

/** Mock devices: device records that a page of the console or the hub runs. */
export const createMockService = ({ db, secrets, notifier, deleteDevices }: Deps) => ({
  async queryMockDeviceList(
    { actor, language }: Context,
    input: Input<Calls['queryMockDeviceList']>,
  ): Promise<Output<Calls['queryMockDeviceList']>> {
    const { pageIndex, pageSize, tenancyId } = input;
    if (isOtherTenant(actor, tenancyId)) return { pageIndex, pageSize, total: 0, list: [] };
    // Children are listed with their gateway; a child without a gateway is listed itself.
    let rows = (await devicesOf(db, scopeOf(actor, tenancyId)))
      .where('device.mock', '=', 1)
      .where('device.device_id', 'in', (some) =>
        some.selectFrom('mock_device').select('mock_device.device_id').where('gateway_id', '=', ''),
      );
    if (input.deviceId) rows = rows.where(containsAny(['device.device_id_key'], input.deviceId));
    if (input.deviceName) rows = rows.where(containsAny(['device.device_name_key'], input.deviceName));
    if (input.searchValue)
      rows = rows.where(containsAny(['device.device_id_key', 'device.device_name_key'], input.searchValue));
    if (input.productId) rows = rows.where('device.product_id', '=', input.productId);
    if (input.online) rows = rows.where('device.online', '=', input.online);
    const { nodeType } = input;
    if (nodeType)
      rows = rows.where('device.product_id', 'in', (some) =>
        some.selectFrom('product').select('product.product_id').where('node_type', '=', nodeType),
      );
    const page = await readDeviceRecords(db, rows, input);
    const ids = page.list.map((row) => row.device_id);
    const mocks = ids.length === 0 ? [] : await mocksWithRunner(db).where('device_id', 'in', ids).execute();
    const byId = new Map(mocks.map((mock) => [mock.device_id, mock]));
    return { ...page, list: page.list.map((row) => mockAnswer(language, row, byId.get(row.device_id))) };
  },

  async getMockDeviceDetails(
    { actor, language }: Context,
    { deviceId }: Input<Calls['getMockDeviceDetails']>,
  ): Promise<Output<Calls['getMockDeviceDetails']>> {
    const { device, mock } = await findMock(db, actor, deviceId);
    const [profile, ...children] = await profilesOf(db, secrets, [
      { device, mock },
      ...(await childrenOf(db, deviceId)),
    ]);
    if (!profile) throw new AppError('DEVICE_NOT_FOUND', {}, 'deviceId');
    return {
      ...mockAnswer(language, device, mock),
      ...profile,
      tenantId: MOCK_TENANT,
      version: PROTOCOL_VERSION,
      firstDataId: MOCK_FIRST_DATA_ID,
      children,
      run: runOf(mock),
    };
  },

  /** Deletes a gateway together with its mock children, because they connect only through it. */
  async deleteMockDevice(context: Context, { deviceId }: Input<Calls['deleteMockDevice']>): Promise<null> {
    await findMock(db, context.actor, deviceId);
    const children = (await childrenOf(db, deviceId)).map(({ device }) => device.device_id);
    return deleteDevices(context, { deviceIds: [deviceId, ...children] });
  },

  async queryFunctionDefaults(
    { actor }: Context,
    { deviceId }: Input<Calls['queryFunctionDefaults']>,
  ): Promise<Output<Calls['queryFunctionDefaults']>> {
    const { device, mock } = await findMock(db, actor, deviceId);
    const functions = await productFunctionsOf(db, device.product_id);
    return defaultsOf(functions, mock).map(({ entry, value, saved }) => ({
      deviceId,
      functionId: entry.signCode,
      functionName: entry.functionName,
      functionType: entry.functionType,
      functionDefinition: entry.functionDefinition,
      value,
      saved: saved ? 1 : 0,
    }));
  },

  async saveFunctionDefaults(
    context: Context,
    { deviceId, values }: Input<Calls['saveFunctionDefaults']>,
  ): Promise<null> {
    return withAudit(db, context, async (db) => {
      await lockDevices(db, [deviceId]);
      const { device, mock } = await findMock(db, context.actor, deviceId);
      const functions = new Map((await productFunctionsOf(db, device.product_id)).map((one) => [one.signCode, one]));
      const problems = Object.entries(values).flatMap(([signCode, value]) => {
        const entry = functions.get(signCode);
        if (!entry) return [{ path: [signCode], key: 'UNKNOWN' as const }];
        const found = value === null ? [] : problemsOfDefault(entry, value);
        return found.map((problem) => ({ ...problem, path: [signCode, ...problem.path] }));
      });
      if (problems.length > 0)
        throw new BadInput(
          problems.map((problem) => ({
            field: fieldPath(['values', ...problem.path]),
            message: valueProblemText(problem, context.language),
          })),
        );
      const before = defaultsIn(mock);
      // Values of functions that the model no longer has are removed here.
      const after = Object.fromEntries(
        Object.entries({ ...before, ...values }).filter(
          ([signCode, value]) => value !== null && functions.has(signCode),
        ),
      );
      await db
        .updateTable('mock_device')
        .set({ defaults: JSON.stringify(after) })
        .where('device_id', '=', deviceId)
        .execute();
      return {
        result: null,
        audit: { ...auditOfDevice(device), before: { values: before }, after: { values: after } },
      };
    });
  },

  async saveMockRun(context: Context, input: Input<Calls['saveMockRun']>): Promise<null> {
    const { deviceId, runInHub, mode, everySeconds, sequence } = input;
    return withAudit(db, context, async (db) => {
      await lockDevices(db, [deviceId]);
      const { device, mock } = await findMock(db, context.actor, deviceId);
      // The lock makes concurrent calls count each other's devices.
      if (runInHub === 1) await lockTenancies(db, [device.tenancy_id]);
      const { n } = await db
        .selectFrom('mock_device')
        .innerJoin('device', 'device.device_id', 'mock_device.device_id')
        .select((row) => row.fn.countAll<number>().as('n'))
        .where('run_in_hub', '=', 1)
        .where('device.tenancy_id', '=', device.tenancy_id)
        .where('mock_device.device_id', '!=', deviceId)
        .executeTakeFirstOrThrow();
      if (runInHub === 1 && Number(n) >= MOCK_RUNS_MAX)
        throw new AppError('MOCK_RUNS_FULL', { max: MOCK_RUNS_MAX }, 'runInHub');
      await db
        .updateTable('mock_device')
        .set({
          run_in_hub: runInHub,
          run_mode: mode,
          every_s: everySeconds,
          ...(sequence ? { sequence: JSON.stringify(sequence) } : {}),
        })
        .where('device_id', '=', deviceId)
        .execute();
      const auditFields = (run: { runInHub: number; mode: number; everySeconds: number; sequence: unknown[] }) => ({
        ...run,
        sequence: run.sequence.length,
      });
      const before = runOf(mock);
      const after = { runInHub, mode, everySeconds, sequence: sequence ?? before.sequence };
      return {
        result: null,
        audit: { ...auditOfDevice(device), before: auditFields(before), after: auditFields(after) },
      };
    });
  },

  async expireMockToken(context: Context, { deviceId }: Input<Calls['expireMockToken']>): Promise<null> {
    await withAudit(db, context, async (db) => {
      await lockDevices(db, [deviceId]);
      const { device } = await findMock(db, context.actor, deviceId);
      const now = Date.now();
      await db
        .updateTable('device_session')
        .set({ expires_at: now, old_expires_at: now })
        .where('device_id', '=', deviceId)
        .where('ended', '=', 0)
        .execute();
      await requestDisconnect(db, 'device', [deviceId], 'tokenExpired');
      return { result: null, audit: auditOfDevice(device) };
    });
    notifier.send('instruction');
    return null;
  },
});
