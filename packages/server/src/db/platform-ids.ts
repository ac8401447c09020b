/** What the first start makes, and what can never be edited or deleted. */
export const PLATFORM = { tenancyId: '1', roleId: '1', userId: '1', username: 'admin' } as const;
