import { attributeColumns } from '../src/domain/device/attributes.ts';
import type { Hub } from './hub.ts';

export const ROWS = 27;
export const START = Date.parse('2024-05-06T07:08:09.000Z');
export const MINUTE = 60_000;

/** Pairs of rows have the same time, so that paging needs a unique last sort column. */
const createdAt = (index: number): number => START + Math.floor(index / 2) * MINUTE;
/** Updated in the reverse order of creation. */
const updatedAt = (index: number): number => START + (ROWS - index) * MINUTE;
export const idAt = (kind: string, index: number): string => `${kind}${String(index).padStart(3, '0')}`;

const times = (index: number) => ({ created_at: createdAt(index), updated_at: updatedAt(index) });
const each = <Row>(row: (index: number) => Row): Row[] => Array.from({ length: ROWS }, (_, index) => row(index));

const insertPeople = async ({ db }: Hub, tenancyId: string, roleId: string): Promise<void> => {
  const users = each((index) => ({
    user_id: idAt('user', index),
    tenancy_id: tenancyId,
    role_id: roleId,
    username: `Paged${index}`,
    username_key: `paged${index}`,
    name: `Paged${index}`,
    name_key: `paged${index}`,
    password_hash: '',
    must_change_password: 1 as const,
    preferences: '{}',
    ...times(index),
  }));
  await db.insertInto('user_account').values(users).execute();
  const tenancies = each((index) => ({
    tenancy_id: idAt('tenancy', index),
    tenancy_name: `Paged${index}`,
    tenancy_name_key: `paged${index}`,
    company_name: '',
    company_name_key: '',
    contact_name: '',
    phone: '',
    email: '',
    company_address: '',
    enabled: 1 as const,
    builtin: 0 as const,
    ...times(index),
  }));
  await db.insertInto('tenancy').values(tenancies).execute();
};

const insertThings = async ({ db }: Hub, tenancyId: string): Promise<void> => {
  const categories = each((index) => ({
    category_id: idAt('category', index),
    tenancy_id: tenancyId,
    category_name: `Paged${index}`,
    category_name_key: `paged${index}`,
    search_key: `paged${index}`,
    description: '',
    model_version: 1,
    ...times(index),
  }));
  await db.insertInto('category').values(categories).execute();
  const products = each((index) => ({
    product_id: idAt('product', index),
    tenancy_id: tenancyId,
    category_id: idAt('category', index),
    product_name: `Paged${index}`,
    product_name_key: `paged${index}`,
    product_id_key: idAt('product', index),
    description: '',
    node_type: 1 as const,
    protocol_id: 1 as const,
    class_id: 1 as const,
    secret_sealed: '',
    allow_register: 1 as const,
    allow_md5: 1 as const,
    model_version: 1,
    function_count: 0,
    creator: 'x',
    ...times(index),
  }));
  await db.insertInto('product').values(products).execute();
  const devices = each((index) => ({
    device_id: idAt('device', index),
    registration_no: index,
    tenancy_id: tenancyId,
    product_id: idAt('product', index),
    application_id: idAt('app', index),
    device_name: `Paged${index}`,
    device_name_key: `paged${index}`,
    device_id_key: idAt('device', index),
    ...attributeColumns(),
    version_number: '',
    online: 2 as const,
    parent_id: '',
    mock: 0 as const,
    ...times(index),
  }));
  await db.insertInto('device').values(devices).execute();
};

/** Inserts the same number of rows of every kind, named Paged0 and so on. */
export const insertPagedRows = async (hub: Hub, tenancyId: string): Promise<void> => {
  const roles = each((index) => ({
    role_id: idAt('role', index),
    tenancy_id: tenancyId,
    role_name: `Paged${index}`,
    role_name_key: `paged${index}`,
    builtin: 0 as const,
    ...times(index),
  }));
  await hub.db.insertInto('role').values(roles).execute();
  const applications = each((index) => ({
    application_id: idAt('app', index),
    tenancy_id: tenancyId,
    application_name: `Paged${index}`,
    application_name_key: `paged${index}`,
    enabled: 1 as const,
    creator: 'x',
    ...times(index),
  }));
  await hub.db.insertInto('application').values(applications).execute();
  await insertPeople(hub, tenancyId, await hub.create.role(tenancyId, [201]));
  await insertThings(hub, tenancyId);
};
