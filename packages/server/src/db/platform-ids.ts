import type { Language, Text } from '@device-center/contract';
import type { Db } from './connect.ts';

/** What the first start makes, and what can never be edited or deleted. */
export const PLATFORM = { tenancyId: '1', roleId: '1', userId: '1', username: 'admin' } as const;

export const platformNames = {
  tenancy: { zh_CN: '平台租户', en_US: 'Platform' },
  role: { zh_CN: '平台管理员', en_US: 'Platform administrator' },
  person: { zh_CN: '管理员', en_US: 'Administrator' },
} satisfies Record<string, Text>;

/** The built-in names are ours, so they are shown in the reader's language; all others are as people wrote them. */
export const tenancyNameIn = (language: Language, row: { tenancy_id: string; tenancy_name: string }): string =>
  row.tenancy_id === PLATFORM.tenancyId ? platformNames.tenancy[language] : row.tenancy_name;

export const roleNameIn = (language: Language, row: { role_id: string; role_name: string }): string =>
  row.role_id === PLATFORM.roleId ? platformNames.role[language] : row.role_name;

export const tenancyIdsOf = async (db: Db): Promise<string[]> =>
  (await db.selectFrom('tenancy').select('tenancy_id').execute()).map(({ tenancy_id }) => tenancy_id);
