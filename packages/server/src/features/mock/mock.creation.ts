import {
  type Input,
  MOCK_CHILDREN_MAX,
  MOCK_RUNS_MAX,
  type mockCalls,
  NodeType,
  type Output,
} from '@device-center/contract';
import type { Db } from '../../db/connect.ts';
import { withAudit } from '../../db/with-audit.ts';
import { findUsableApplication, lockUsableApplication } from '../../domain/application/applications.ts';
import { attributeColumns } from '../../domain/device/attributes.ts';
import { auditOfDevice, lockDevices } from '../../domain/device/devices.ts';
import { versionColumns } from '../../domain/ota/version-keys.ts';
import { findProduct, lockProducts, type ProductRecord } from '../../domain/product/products.ts';
import type { Actor, Context } from '../../platform/actor.ts';
import { AppError } from '../../platform/app-error.ts';
import { foldCase } from '../../platform/fold-case.ts';
import { newId, newSecret, nextSequenceId } from '../../platform/ids.ts';
import type { SecretBox } from '../../platform/secret-box.ts';
import { childrenOf, findMock } from './mock.queries.ts';

type Calls = typeof mockCalls;
type NewChild = Input<Calls['createMockDevice']>['children'][number];
type NewMock = { product: ProductRecord; deviceName: string; applicationId: string; gatewayId: string };
/** A mock device for the rehearsal of an upgrade: the version it runs, and how it fails. */
export type RehearsalDevice = { taskId: string; versionNumber: string; fault: string; online: boolean };

const EVERY_S = 5;
/** A rehearsal device serves only the upgrade and reports rarely. */
const REHEARSAL_EVERY_S = 3_600;

const newDeviceId = (): string => `mock-${newId()}`;

export const createMockCreation = ({ db, secrets }: { db: Db; secrets: SecretBox }) => {
  const insert = async (db: Db, mocks: (NewMock & { rehearsed?: RehearsalDevice })[]): Promise<string[]> => {
    const now = Date.now();
    const ids = mocks.map(newDeviceId);
    const rows = mocks.map(({ product, deviceName, applicationId, gatewayId, rehearsed }, index) => {
      const deviceId = ids[index] ?? '';
      return {
        device_id: deviceId,
        registration_no: nextSequenceId(now),
        tenancy_id: product.tenancy_id,
        product_id: product.product_id,
        application_id: applicationId,
        device_name: deviceName,
        device_name_key: foldCase(deviceName),
        device_id_key: foldCase(deviceId),
        ...attributeColumns(),
        ...versionColumns(rehearsed?.versionNumber ?? ''),
        online: 2 as const,
        parent_id: gatewayId,
        mock: 1 as const,
        secret_sealed: secrets.seal(newSecret()),
        secret_by_console: 1 as const,
        // Lists show them in the order of the request.
        created_at: now + index,
        updated_at: now + index,
      };
    });
    await db.insertInto('device').values(rows).execute();
    const mockRows = rows.map((row, index) => {
      const rehearsed = mocks[index]?.rehearsed;
      return {
        device_id: row.device_id,
        gateway_id: row.parent_id,
        defaults: '{}',
        run_in_hub: rehearsed?.online ? (1 as const) : (0 as const),
        run_mode: 1 as const,
        every_s: rehearsed ? REHEARSAL_EVERY_S : EVERY_S,
        sequence: '[]',
        runner: '',
        runner_until: 0,
        upgrade_fault: rehearsed?.fault ?? '',
        rehearsal_task: rehearsed?.taskId ?? '',
      };
    });
    await db.insertInto('mock_device').values(mockRows).execute();
    return ids;
  };

  const productsOfChildren = async (
    db: Db,
    actor: Actor,
    tenancyId: string,
    children: NewChild[],
  ): Promise<ProductRecord[]> => {
    const found = new Map<string, ProductRecord>();
    const products: ProductRecord[] = [];
    for (const [index, { productId }] of children.entries()) {
      const field = `children[${index}].productId`;
      const product = found.get(productId) ?? (await findProduct(db, actor, productId, field));
      if (product.node_type !== NodeType.child || product.tenancy_id !== tenancyId)
        throw new AppError('PRODUCT_NOT_FOR_CHILD', {}, field);
      found.set(productId, product);
      products.push(product);
    }
    return products;
  };

  const insertChildren = async (
    db: Db,
    actor: Actor,
    gateway: { deviceId: string; tenancyId: string; applicationId: string },
    children: NewChild[],
  ): Promise<string[]> => {
    if (children.length === 0) return [];
    const products = await productsOfChildren(db, actor, gateway.tenancyId, children);
    const mocks = products.map((product, index) => ({
      product,
      deviceName: children[index]?.deviceName ?? '',
      applicationId: gateway.applicationId,
      gatewayId: gateway.deviceId,
    }));
    return insert(db, mocks);
  };

  /** All mock devices that run in the hub count, also those of rehearsals. */
  const assertRunsLeft = async (db: Db, tenancyId: string, more: number): Promise<void> => {
    const { n } = await db
      .selectFrom('mock_device')
      .innerJoin('device', 'device.device_id', 'mock_device.device_id')
      .select((row) => row.fn.countAll<number>().as('n'))
      .where('run_in_hub', '=', 1)
      .where('tenancy_id', '=', tenancyId)
      .executeTakeFirstOrThrow();
    if (Number(n) + more > MOCK_RUNS_MAX) throw new AppError('MOCK_RUNS_FULL', { max: MOCK_RUNS_MAX }, 'devices');
  };

  return {
    /** Inserts the devices of a rehearsal within the caller's transaction. */
    async insertRehearsalDevices(
      db: Db,
      actor: Actor,
      productId: string,
      devices: RehearsalDevice[],
    ): Promise<string[]> {
      await lockProducts(db, [productId]);
      const product = await findProduct(db, actor, productId);
      if (product.node_type === NodeType.child) throw new AppError('PRODUCT_NOT_FOR_MOCK', {}, 'deviceVersionId');
      // The operator does not choose an application: it is irrelevant to devices outside of the fleet.
      const applicationId = await findUsableApplication(db, product.tenancy_id, product.application_id);
      if (applicationId === null) throw new AppError('PRODUCT_WITHOUT_APPLICATION', {}, 'deviceVersionId');
      await lockUsableApplication(db, actor, product.tenancy_id, applicationId);
      await assertRunsLeft(db, product.tenancy_id, devices.filter(({ online }) => online).length);
      const mocks = devices.map((rehearsed, index) => ({
        product,
        deviceName: `rehearsal-${index + 1}`,
        applicationId,
        gatewayId: '',
        rehearsed,
      }));
      return insert(db, mocks);
    },

    async createMockDevice(
      context: Context,
      input: Input<Calls['createMockDevice']>,
    ): Promise<Output<Calls['createMockDevice']>> {
      const { deviceName, productId, children } = input;
      return withAudit(db, context, async (db) => {
        const productIds = [...new Set([productId, ...children.map((child) => child.productId)])].sort();
        await lockProducts(db, productIds);
        const product = await findProduct(db, context.actor, productId);
        if (product.node_type !== NodeType.monomer && product.node_type !== NodeType.gateway)
          throw new AppError('PRODUCT_NOT_FOR_MOCK', {}, 'productId');
        if (children.length > 0 && product.node_type !== NodeType.gateway)
          throw new AppError('MOCK_NOT_A_GATEWAY', {}, 'children');
        const applicationId = input.applicationId ?? product.application_id;
        if (applicationId === null) throw new AppError('PRODUCT_WITHOUT_APPLICATION', {}, 'applicationId');
        const { tenancy_id: tenancyId } = product;
        await lockUsableApplication(db, context.actor, tenancyId, applicationId);
        const [deviceId = ''] = await insert(db, [{ product, deviceName, applicationId, gatewayId: '' }]);
        const childIds = await insertChildren(db, context.actor, { deviceId, tenancyId, applicationId }, children);
        const after = { productId, deviceName, applicationId, children: childIds };
        const audit = { tenancyId, targetId: deviceId, targetName: deviceName, after };
        return { result: { deviceId, children: childIds }, audit };
      });
    },

    async addMockChildren(
      context: Context,
      { deviceId, children }: Input<Calls['addMockChildren']>,
    ): Promise<Output<Calls['addMockChildren']>> {
      return withAudit(db, context, async (db) => {
        await lockDevices(db, [deviceId]);
        const { device } = await findMock(db, context.actor, deviceId);
        if (device.node_type !== NodeType.gateway) throw new AppError('MOCK_NOT_A_GATEWAY', {}, 'deviceId');
        const present = await childrenOf(db, deviceId);
        if (present.length + children.length > MOCK_CHILDREN_MAX)
          throw new AppError('MOCK_CHILDREN_FULL', { max: MOCK_CHILDREN_MAX }, 'children');
        await lockProducts(db, [...new Set(children.map((child) => child.productId))].sort());
        const gateway = { deviceId, tenancyId: device.tenancy_id, applicationId: device.application_id };
        const childIds = await insertChildren(db, context.actor, gateway, children);
        return { result: { children: childIds }, audit: { ...auditOfDevice(device), after: { children: childIds } } };
      });
    },
  };
};

export type MockCreation = ReturnType<typeof createMockCreation>;
