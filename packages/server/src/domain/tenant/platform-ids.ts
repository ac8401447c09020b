import type { Language, Text } from '@device-center/contract';
import type { Db } from '../../db/connect.ts';

/** Rows that the first start creates. They cannot be edited or deleted. */
export const PLATFORM = { tenancyId: '1', roleId: '1', userId: '1', username: 'admin' } as const;

export const platformNames = {
  tenancy: { zh_CN: '平台租户', en_US: 'Platform' },
  role: { zh_CN: '平台管理员', en_US: 'Platform administrator' },
  user: { zh_CN: '管理员', en_US: 'Administrator' },
} satisfies Record<string, Text>;

/** Built-in names are translated; all others have the text that users entered. */
export const tenancyNameIn = (language: Language, row: { tenancy_id: string; tenancy_name: string }): string =>
  row.tenancy_id === PLATFORM.tenancyId ? platformNames.tenancy[language] : row.tenancy_name;

export const roleNameIn = (language: Language, row: { role_id: string; role_name: string }): string =>
  row.role_id === PLATFORM.roleId ? platformNames.role[language] : row.role_name;

export const tenancyIdsOf = async (db: Db): Promise<string[]> =>
  (await db.selectFrom('tenancy').select('tenancy_id').execute()).map(({ tenancy_id }) => tenancy_id);
