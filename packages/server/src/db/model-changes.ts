import { bareFunction, compareModels, type KeptFunction, type ModelDifference } from '@device-center/contract';

export type Counts = { added: number; removed: number; changed: number };

export const countsOf = ({ changes }: ModelDifference): Counts => {
  const count = (kind: string) => changes.filter((change) => change.kind === kind).length;
  return { added: count('added'), removed: count('removed'), changed: count('changed') };
};

export const isUnchanged = ({ changes, reordered }: ModelDifference): boolean => changes.length === 0 && !reordered;

/** Beyond it the audit log names functions without their definitions: an import may bring hundreds. */
const WHOLE_IN_AUDIT = 20;

/** What the audit log says of a changed model: the functions concerned, as they were and as they are. */
export const auditOfModels = (
  before: KeptFunction[],
  after: KeptFunction[],
  versions: { from: number; to: number },
) => {
  const difference = compareModels(before, after);
  const concerned = new Set(difference.changes.map(({ signCode }) => signCode));
  const ids = new Set(after.filter(({ signCode }) => concerned.has(signCode)).map(({ id }) => id));
  const pick = (list: KeptFunction[]) => {
    const chosen = list.filter(({ signCode, id }) => concerned.has(signCode) || (id !== undefined && ids.has(id)));
    if (chosen.length <= WHOLE_IN_AUDIT) return chosen.map(bareFunction);
    return chosen.map(({ signCode, functionName }) => ({ signCode, functionName }));
  };
  return {
    before: { modelVersion: versions.from, functions: pick(before) },
    after: { modelVersion: versions.to, functions: pick(after) },
  };
};
