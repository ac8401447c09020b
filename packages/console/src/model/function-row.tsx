import type { FunctionWithId } from '@device-center/contract';
import { GripVertical } from 'lucide-react';
import { type DragEvent, type KeyboardEvent, memo, type RefCallback } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from '../ui/button.tsx';
import { RowMenu } from '../ui/row-menu.tsx';
import { definitionText, functionTypeText, modeText } from './function-texts.ts';

/** One stable object for all rows, so that a memoized row renders only when it changes. */
export type RowActions = {
  open: (key: string) => void;
  duplicate: (key: string) => void;
  remove: (key: string) => void;
  /** Moves the row past the previous or next visible row. */
  shift: (key: string, by: -1 | 1) => void;
  drop: (key: string, target: string, side: 'before' | 'after') => void;
};

export type RowStatus = 'added' | 'changed' | null;

type FunctionRowProps = {
  rowKey: string;
  fn: FunctionWithId;
  mark: RowStatus;
  problem: string;
  position: number;
  first: boolean;
  last: boolean;
  readOnly: boolean;
  actions: RowActions;
  /** Measures the height of the row for the virtual list. */
  measure: RefCallback<HTMLElement> | undefined;
};

export const handleId = (rowKey: string): string => `handle-${rowKey}`;

const DRAG_TYPE = 'application/x-device-center-function';

const sideOf = (event: DragEvent<HTMLElement>): 'before' | 'after' => {
  const { top, height } = event.currentTarget.getBoundingClientRect();
  return event.clientY < top + height / 2 ? 'before' : 'after';
};

const isRowDrag = (event: DragEvent): boolean => event.dataTransfer.types.includes(DRAG_TYPE);

/** RowBadges the drop position with a data attribute, which CSS shows as a line without a React render. */
const dropTarget = (rowKey: string, actions: RowActions) => ({
  onDragOver: (event: DragEvent<HTMLElement>) => {
    if (!isRowDrag(event)) return;
    event.preventDefault();
    event.currentTarget.dataset.drop = sideOf(event);
  },
  onDragLeave: (event: DragEvent<HTMLElement>) => {
    delete event.currentTarget.dataset.drop;
  },
  onDrop: (event: DragEvent<HTMLElement>) => {
    delete event.currentTarget.dataset.drop;
    if (!isRowDrag(event)) return;
    event.preventDefault();
    event.stopPropagation();
    const moved = event.dataTransfer.getData(DRAG_TYPE);
    if (moved !== rowKey) actions.drop(moved, rowKey, sideOf(event));
  },
});

const Handle = ({ rowKey, fn, actions }: Pick<FunctionRowProps, 'rowKey' | 'fn' | 'actions'>) => {
  const { t } = useTranslation('model');
  const press = (event: KeyboardEvent) => {
    if (event.key !== 'ArrowUp' && event.key !== 'ArrowDown') return;
    event.preventDefault();
    actions.shift(rowKey, event.key === 'ArrowUp' ? -1 : 1);
  };
  return (
    <button
      type="button"
      id={handleId(rowKey)}
      className="dc-row-handle"
      draggable
      aria-label={t('dragHandle', { name: fn.functionName })}
      onKeyDown={press}
      onDragStart={(event) => {
        event.dataTransfer.setData(DRAG_TYPE, rowKey);
        event.dataTransfer.effectAllowed = 'move';
      }}
    >
      <GripVertical size={15} aria-hidden />
    </button>
  );
};

const markKeys = { added: 'isNew', changed: 'isChanged' } as const;

const RowBadges = ({ mark, problem }: Pick<FunctionRowProps, 'mark' | 'problem'>) => {
  const { t } = useTranslation('model');
  return (
    <>
      {mark !== null && (
        <span className="dc-tag dc-row-mark" data-mark={mark}>
          {t(markKeys[mark])}
        </span>
      )}
      {problem !== '' && (
        <span className="dc-fn-wrong" title={problem}>
          {t('hasProblem')}: {problem}
        </span>
      )}
    </>
  );
};

const RowTools = ({ rowKey, fn, first, last, readOnly, actions }: FunctionRowProps) => {
  const { t } = useTranslation(['model', 'common']);
  const name = fn.functionName;
  if (readOnly)
    return (
      <Button type="link" size="small" aria-label={`${t('common:view')}: ${name}`} onClick={() => actions.open(rowKey)}>
        {t('common:view')}
      </Button>
    );
  return (
    <>
      <Button type="link" size="small" aria-label={`${t('common:edit')}: ${name}`} onClick={() => actions.open(rowKey)}>
        {t('common:edit')}
      </Button>
      <RowMenu
        name={name}
        items={[
          { key: 'duplicate', label: t('model:duplicate'), onClick: () => actions.duplicate(rowKey) },
          { key: 'up', label: t('model:moveUp'), disabled: first, onClick: () => actions.shift(rowKey, -1) },
          { key: 'down', label: t('model:moveDown'), disabled: last, onClick: () => actions.shift(rowKey, 1) },
          { key: 'remove', label: t('common:delete'), danger: true, onClick: () => actions.remove(rowKey) },
        ]}
      />
    </>
  );
};

/** A row of the table; on a phone it has two lines. */
export const FunctionRow = memo((props: FunctionRowProps) => {
  const { rowKey, fn, mark, problem, position, readOnly, actions, measure } = props;
  return (
    <tr
      ref={measure}
      data-index={position - 1}
      aria-rowindex={position + 1}
      data-wrong={problem !== ''}
      {...(readOnly ? {} : dropTarget(rowKey, actions))}
    >
      <td className="dc-cell-handle">{!readOnly && <Handle rowKey={rowKey} fn={fn} actions={actions} />}</td>
      <td className="dc-cell-name">
        <button type="button" className="dc-open-button" onClick={() => actions.open(rowKey)}>
          {fn.functionName}
        </button>{' '}
        <RowBadges mark={mark} problem={problem} />
      </td>
      <td className="dc-cell-code">
        <code className="dc-mono">{fn.signCode}</code>
      </td>
      <td className="dc-cell-kind">
        <span className="dc-fn-kind" data-kind={fn.functionType}>
          {functionTypeText(fn.functionType)}
        </span>
      </td>
      <td className="dc-cell-type">{definitionText(fn)}</td>
      <td className="dc-cell-mode">{modeText(fn)}</td>
      <td className="dc-cell-text dc-muted" title={fn.description}>
        {fn.description}
      </td>
      <td className="dc-cell-tools">
        <div>
          <RowTools {...props} />
        </div>
      </td>
    </tr>
  );
});
