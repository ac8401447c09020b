import { type ApiKeyRow, apiKeyScopes } from '@device-center/contract';
import { PLATFORM_TENANCY_ID } from '../../api/platform-operator.ts';
import { useCan } from '../../api/session.ts';

export type Scope = ApiKeyRow['scope'];

/** What a key of each scope is bound to, besides its tenant. */
const targets: Record<string, 'role' | 'application'> = { role: 'role', sync: 'application' };
export const targetOf = (scope: Scope): 'role' | 'application' | 'none' => targets[scope] ?? 'none';

/** The text that explains where to configure a key. */
const usageTextKeys: Record<string, 'useRole' | 'useSync'> = { role: 'useRole', sync: 'useSync' };
export const usageTextKey = (scope: Scope): 'useRole' | 'useSync' | 'useBroker' => usageTextKeys[scope] ?? 'useBroker';

/** A key cannot have permissions that its creator lacks, so only scopes within the creator's permissions are offered. */
export const useScopes = (tenancyId: string): Scope[] => {
  const mayWriteProducts = useCan('product:write');
  const mayWriteDevices = useCan('device:write');
  const mayWriteZones = useCan('zone:write');
  const allowed: Record<string, boolean> = {
    role: true,
    sync: mayWriteProducts && mayWriteDevices,
    // Devices of every tenant connect at a zone's broker.
    broker: mayWriteZones && tenancyId === PLATFORM_TENANCY_ID,
  };
  return apiKeyScopes.filter((scope) => allowed[scope] === true);
};
