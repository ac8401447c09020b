import {
  BATCH_MAX,
  CATEGORY_FUNCTIONS_MAX,
  categoryCalls,
  type FunctionWithId,
  fieldTexts,
  type ModelFunction,
  type OpenFunction,
  type OwnFunctionType,
} from '@device-center/contract';
import { Checkbox, Input, Modal, Segmented, Skeleton } from 'antd';
import { Search } from 'lucide-react';
import { memo, useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useCategoryChoices } from '../api/choices.ts';
import { useCall } from '../api/use-call.ts';
import { currentLanguage } from '../i18n/language.ts';
import { Button } from '../ui/button.tsx';
import { ChoiceSelect } from '../ui/choice-select.tsx';
import { ErrorCard } from '../ui/states.tsx';
import { type KindFilter, kindOptions, matches } from './function-filter.ts';
import { definitionText, functionTypeText } from './function-texts.ts';
import './standard-picker.css';

/** A copy for another owner, without the fields that belong to the category. */
const bare = (fn: OpenFunction): FunctionWithId =>
  ({
    signCode: fn.signCode,
    functionName: fn.functionName,
    functionType: fn.functionType,
    description: fn.description,
    functionDefinition: fn.functionDefinition,
  }) as FunctionWithId;

type PickRowProps = { fn: OpenFunction; taken: boolean; chosen: boolean; onChoose: (id: string, on: boolean) => void };

const PickRow = memo(({ fn, taken, chosen, onChoose }: PickRowProps) => {
  const { t } = useTranslation('model');
  return (
    <li>
      <Checkbox checked={chosen} disabled={taken} onChange={({ target }) => onChoose(fn.id, target.checked)}>
        <span className="dc-pick-name">
          <strong>{fn.functionName}</strong> <code className="dc-mono">{fn.signCode}</code>
        </span>
        <span className="dc-pick-words">
          {functionTypeText(fn.functionType)} · {definitionText(fn as unknown as ModelFunction)}
        </span>
        {taken && <span className="dc-tag">{t('pickTaken')}</span>}
      </Checkbox>
    </li>
  );
});

const useChosen = (free: OpenFunction[]) => {
  const [ids, setIds] = useState<ReadonlySet<string>>(new Set());
  const choose = useMemo(
    () => ({
      one: (id: string, on: boolean) =>
        setIds((before) => new Set(on ? [...before, id] : [...before].filter((other) => other !== id))),
      many: (some: string[], on: boolean) =>
        setIds((before) => new Set(on ? [...before, ...some] : [...before].filter((other) => !some.includes(other)))),
      none: () => setIds(new Set()),
    }),
    [],
  );
  return { ids, chosen: free.filter(({ id }) => ids.has(id)), choose };
};

type StandardPickerProps = {
  categoryId?: string | undefined;
  /** Identifiers that the model already uses. */
  taken: ReadonlySet<string>;
  onPick: (functions: FunctionWithId[]) => void;
  onClose: () => void;
};

/** Dialog to copy functions from a category. */
export const StandardPicker = ({ categoryId: first, taken, onPick, onClose }: StandardPickerProps) => {
  const { t } = useTranslation(['model', 'common']);
  const [categoryId, setCategoryId] = useState(first);
  const [searchText, setSearchText] = useState('');
  const [kind, setKind] = useState<KindFilter>('all');
  const [tried, setTried] = useState(false);
  const choices = useCategoryChoices(categoryId);
  const query = useCall(
    categoryCalls.getOpenFunctions,
    { categoryId: categoryId ?? '', pageSize: CATEGORY_FUNCTIONS_MAX },
    { enabled: categoryId !== undefined },
  );
  const all = query.data?.list ?? [];
  const free = all.filter(({ signCode }) => !taken.has(signCode));
  const { ids, chosen, choose } = useChosen(free);
  const shown = all.filter((fn) => matches(fn, kind, searchText));
  const shownFree = shown.filter(({ signCode }) => !taken.has(signCode)).map(({ id }) => id);
  const chosenShown = shownFree.filter((id) => ids.has(id)).length;
  const texts = chosen.length > BATCH_MAX ? fieldTexts.TOO_MANY_FUNCTIONS : fieldTexts.NO_FUNCTION;
  const wrong = chosen.length === 0 || chosen.length > BATCH_MAX;
  const pick = () => {
    setTried(true);
    if (!wrong) onPick(chosen.map(bare));
  };
  const counts = (type: OwnFunctionType) => all.filter(({ functionType }) => functionType === type).length;
  return (
    <Modal
      open
      title={t('model:pickTitle')}
      width={720}
      onCancel={onClose}
      footer={
        <div className="dc-fn-footer">
          <span role="status" className={tried && wrong ? 'dc-form-errors' : 'dc-muted'}>
            {(tried && wrong) || chosen.length > BATCH_MAX
              ? texts[currentLanguage()]
              : t('model:pickSelected', { count: chosen.length })}
          </span>
          <Button onClick={onClose}>{t('common:cancel')}</Button>
          <Button type="primary" needsHub={false} onClick={pick}>
            {t('model:pickAdd')}
          </Button>
        </div>
      }
    >
      <div className="dc-fn-dialog dc-pick">
        <ChoiceSelect
          choices={choices}
          label={t('model:pickCategory')}
          value={categoryId}
          nothing={t('model:pickNoCategory')}
          onChange={(chosenId) => {
            setCategoryId(chosenId);
            choose.none();
            setTried(false);
          }}
        />
        {categoryId === undefined && <p className="dc-muted">{t('model:pickChooseCategory')}</p>}
        {query.error && <ErrorCard error={query.error} onRetry={() => void query.refetch()} />}
        {query.isLoading && <Skeleton active />}
        {query.data && all.length === 0 && <p className="dc-muted">{t('model:pickNothing')}</p>}
        {all.length > 0 && (
          <>
            <div className="dc-pick-filters">
              <Input
                allowClear
                prefix={<Search size={14} aria-hidden />}
                aria-label={t('model:search')}
                placeholder={t('model:search')}
                value={searchText}
                onChange={({ target }) => setSearchText(target.value)}
              />
              <Segmented
                aria-label={t('model:typeFilter')}
                options={kindOptions(counts, all.length)}
                value={kind}
                onChange={setKind}
              />
            </div>
            <Checkbox
              checked={shownFree.length > 0 && chosenShown === shownFree.length}
              indeterminate={chosenShown > 0 && chosenShown < shownFree.length}
              disabled={shownFree.length === 0}
              onChange={({ target }) => choose.many(shownFree, target.checked)}
            >
              {t('model:pickSelectAll')}
            </Checkbox>
            {shown.length === 0 && <p className="dc-muted">{t('model:noMatch')}</p>}
            <ul className="dc-pick-list">
              {shown.map((fn) => (
                <PickRow
                  key={fn.id}
                  fn={fn}
                  taken={taken.has(fn.signCode)}
                  chosen={ids.has(fn.id)}
                  onChoose={choose.one}
                />
              ))}
            </ul>
          </>
        )}
      </div>
    </Modal>
  );
};
