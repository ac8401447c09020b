import { usePlatformOperator } from '../../api/platform-operator.ts';
import { useCan } from '../../api/session.ts';

/** Zones belong to the platform: users of tenants can only select them. */
export const useMayChangeZones = (): boolean => {
  const operator = usePlatformOperator();
  const mayWrite = useCan('zone:write');
  return operator && mayWrite;
};
