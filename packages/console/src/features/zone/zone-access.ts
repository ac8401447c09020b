import { usePlatformOperator } from '../../api/platform-operator.ts';
import { useCan } from '../../api/session.ts';

/** Zones belong to the platform: whoever is of a tenant only chooses from them. */
export const useMayChangeZones = (): boolean => {
  const operator = usePlatformOperator();
  const mayWrite = useCan('zone:write');
  return operator && mayWrite;
};
