import { bareFunction, compareModels, type FunctionWithId, type ModelDifference } from '@device-center/contract';

export type Counts = { added: number; removed: number; changed: number };

export const countsOf = ({ changes }: ModelDifference): Counts => {
  const count = (kind: string) => changes.filter((change) => change.kind === kind).length;
  return { added: count('added'), removed: count('removed'), changed: count('changed') };
};

export const isUnchanged = ({ changes, reordered }: ModelDifference): boolean => changes.length === 0 && !reordered;

/** Above this number the audit log lists functions without definitions: an import may change hundreds. */
const WHOLE_IN_AUDIT = 20;

/** Audit values of a changed model: the changed functions before and after. */
export const auditOfModels = (
  before: FunctionWithId[],
  after: FunctionWithId[],
  versions: { from: number; to: number },
) => {
  const difference = compareModels(before, after);
  const changedCodes = new Set(difference.changes.map(({ signCode }) => signCode));
  const ids = new Set(after.filter(({ signCode }) => changedCodes.has(signCode)).map(({ id }) => id));
  const select = (list: FunctionWithId[]) => {
    const chosen = list.filter(({ signCode, id }) => changedCodes.has(signCode) || (id !== undefined && ids.has(id)));
    if (chosen.length <= WHOLE_IN_AUDIT) return chosen.map(bareFunction);
    return chosen.map(({ signCode, functionName }) => ({ signCode, functionName }));
  };
  return {
    before: { modelVersion: versions.from, functions: select(before) },
    after: { modelVersion: versions.to, functions: select(after) },
  };
};
