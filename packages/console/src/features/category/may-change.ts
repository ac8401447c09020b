import type { CategoryRow } from '@device-center/contract';
import { usePlatformOperator } from '../../api/platform-operator.ts';
import { useCan } from '../../api/session.ts';

/** Only platform operators change standard categories; other users can only use them. */
export const useMayChange = (): ((category: CategoryRow) => boolean) => {
  const operator = usePlatformOperator();
  const mayWrite = useCan('category:write');
  return ({ standard }) => mayWrite && (operator || standard === 0);
};
