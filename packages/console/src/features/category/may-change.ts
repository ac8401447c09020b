import type { CategoryRow } from '@device-center/contract';
import { usePlatformOperator } from '../../api/platform-operator.ts';
import { useCan } from '../../api/session.ts';

/** Standard categories are the platform's; for everybody else they are there to be used. */
export const useMayChange = (): ((category: CategoryRow) => boolean) => {
  const operator = usePlatformOperator();
  const mayWrite = useCan('category:write');
  return ({ standard }) => mayWrite && (operator || standard === 0);
};
