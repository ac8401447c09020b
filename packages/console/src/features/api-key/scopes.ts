import { type ApiKeyRow, apiKeyScopes } from '@device-center/contract';
import { PLATFORM_TENANCY_ID } from '../../api/platform-operator.ts';
import { useCan } from '../../api/session.ts';

export type Scope = ApiKeyRow['scope'];

/** What a key of each scope is bound to, beside its tenant. */
const targets: Record<string, 'role' | 'application'> = { role: 'role', sync: 'application' };
export const targetOf = (scope: Scope): 'role' | 'application' | 'none' => targets[scope] ?? 'none';

/** Where its owner puts it. */
const uses: Record<string, 'useRole' | 'useSync'> = { role: 'useRole', sync: 'useSync' };
export const useOf = (scope: Scope): 'useRole' | 'useSync' | 'useBroker' => uses[scope] ?? 'useBroker';

/** What a key of a scope may make, its maker must be able to make: the others are not offered. */
export const useScopes = (tenancyId: string): Scope[] => {
  const mayProducts = useCan('product:write');
  const mayDevices = useCan('device:write');
  const mayZones = useCan('zone:write');
  const may: Record<string, boolean> = {
    role: true,
    sync: mayProducts && mayDevices,
    // Devices of every tenant connect at a zone's broker.
    broker: mayZones && tenancyId === PLATFORM_TENANCY_ID,
  };
  return apiKeyScopes.filter((scope) => may[scope] === true);
};
