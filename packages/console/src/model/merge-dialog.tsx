import { compareModels, type FunctionWithId } from '@device-center/contract';
import { Modal, Radio } from 'antd';
import { useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from '../ui/button.tsx';
import { ChangeItem } from './change-item.tsx';
import { ChangeList } from './change-list.tsx';
import { definitionText, functionTypeText } from './function-texts.ts';
import type { ModelState } from './model-source.ts';
import { type Conflict, type MergeSide, rebase } from './rebase.ts';

type ConflictChoiceProps = { conflict: Conflict; chosen: MergeSide | undefined; onChoose: (side: MergeSide) => void };

const list = (fn: FunctionWithId | null): FunctionWithId[] => (fn ? [fn] : []);

const ConflictChoice = ({ conflict, chosen, onChoose }: ConflictChoiceProps) => {
  const { t } = useTranslation('model');
  const { base, mine, theirs } = conflict;
  const shown = mine ?? theirs ?? base;
  if (!shown) return null;
  const side = (title: string, fn: FunctionWithId | null) => (
    <div>
      <h4>{title}</h4>
      <ul className="dc-change-one">
        {compareModels(list(base), list(fn)).changes.map((change) => (
          <ChangeItem key={change.kind} change={change} folded={false} />
        ))}
      </ul>
      {base === null && fn && <p className="dc-muted">{definitionText(fn)}</p>}
    </div>
  );
  return (
    <fieldset className="dc-conflict">
      <legend>
        <strong>{shown.functionName}</strong> <code className="dc-mono">{shown.signCode}</code>{' '}
        <span className="dc-tag">{functionTypeText(shown.functionType)}</span>
      </legend>
      <div className="dc-conflict-sides">
        {side(t('mergeMyChange'), mine)}
        {side(t('mergeTheirChange'), theirs)}
      </div>
      <Radio.Group
        name={`conflict-${conflict.key}`}
        aria-label={shown.functionName}
        {...(chosen === undefined ? {} : { value: chosen })}
        onChange={({ target }) => onChoose(target.value as MergeSide)}
        options={[
          { value: 'mine', label: t('mergeMine') },
          { value: 'theirs', label: t('mergeTakeTheirs') },
        ]}
      />
    </fieldset>
  );
};

type MergeProps = {
  base: ModelState;
  mine: FunctionWithId[];
  theirs: ModelState;
  onMerge: (state: ModelState, functions: FunctionWithId[]) => void;
  onClose: () => void;
};

const NOTHING_CHOSEN: ReadonlyMap<string, MergeSide> = new Map();

/** Shown when another user saved first: their changes, the conflicts, and the choice for each conflict. */
export const MergeDialog = ({ base, mine, theirs, onMerge, onClose }: MergeProps) => {
  const { t } = useTranslation(['model', 'common']);
  const [choices, setChoices] = useState(NOTHING_CHOSEN);
  const { functions, conflicts } = useMemo(
    () => rebase(base.functions, mine, theirs.functions, choices),
    [base, mine, theirs, choices],
  );
  const difference = useMemo(() => compareModels(base.functions, theirs.functions), [base, theirs]);
  const open = conflicts.filter(({ key }) => !choices.has(key)).length;
  const chooseAll = (side: MergeSide) => setChoices(new Map(conflicts.map(({ key }) => [key, side])));
  return (
    <Modal
      open
      title={t('model:mergeTitle')}
      width={860}
      onCancel={onClose}
      mask={{ closable: false }}
      footer={
        <div className="dc-fn-footer">
          <span className="dc-muted">{open > 0 && t('model:mergeMissing')}</span>
          <Button onClick={onClose}>{t('common:cancel')}</Button>
          <Button type="primary" needsHub={false} disabled={open > 0} onClick={() => onMerge(theirs, functions)}>
            {t('model:mergeTake')}
          </Button>
        </div>
      }
    >
      <div className="dc-fn-dialog dc-merge">
        <p>{t('model:mergeText', { version: theirs.modelVersion })}</p>
        <section>
          <h3>{t('model:mergeTheirs')}</h3>
          <ChangeList difference={difference} />
        </section>
        {conflicts.length === 0 ? (
          <p className="dc-muted">{t('model:mergeNoConflicts')}</p>
        ) : (
          <section>
            <h3>{t('model:mergeConflicts', { count: conflicts.length })}</h3>
            <div className="dc-merge-all">
              <Button size="small" onClick={() => chooseAll('mine')}>
                {t('model:mergeAllMine')}
              </Button>
              <Button size="small" onClick={() => chooseAll('theirs')}>
                {t('model:mergeAllTheirs')}
              </Button>
            </div>
            {conflicts.map((conflict) => (
              <ConflictChoice
                key={conflict.key}
                conflict={conflict}
                chosen={choices.get(conflict.key)}
                onChoose={(side) => setChoices(new Map([...choices, [conflict.key, side]]))}
              />
            ))}
          </section>
        )}
      </div>
    </Modal>
  );
};
