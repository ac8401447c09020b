import { useSession } from './session.ts';

/** The platform tenant has this id on every hub. */
export const PLATFORM_TENANCY_ID = '1';

/** Only platform operators see all tenants, so only they get tenant columns, filters and selects. */
export const usePlatformOperator = (): boolean => useSession()?.tenancyId === PLATFORM_TENANCY_ID;
