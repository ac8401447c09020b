import { useVirtualizer } from '@tanstack/react-virtual';
import { type CSSProperties, memo, useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { useMobile } from '../ui/media.ts';
import './function-list.css';
import type { DraftEntry } from './draft.ts';
import { FunctionRow, type RowActions, type RowStatus } from './function-row.tsx';

/** A row to scroll to. */
export type Jump = { signCode: string };
export type ListedFunction = { entry: DraftEntry; mark: RowStatus; problem: string };

type FunctionListProps = {
  rows: ListedFunction[];
  readOnly: boolean;
  actions: RowActions;
  /** The row to scroll to. */
  jumpTo: Jump | null;
};

/** Shorter lists render all rows, so that the page scrolls and the browser's text search works. */
const VIRTUAL_FROM = 60;
const ROW_HEIGHT = { desktop: 53, mobile: 84 };

const columns = ['functionName', 'signCode', 'kind', 'dataType', 'mode', 'description'] as const;
const cellNames = ['name', 'code', 'kind', 'type', 'mode', 'text'] as const;

const Head = () => {
  const { t } = useTranslation(['model', 'common']);
  return (
    <thead>
      <tr>
        <th scope="col" className="dc-cell-handle">
          <span className="dc-visually-hidden">{t('model:order')}</span>
        </th>
        {columns.map((column, index) => (
          <th scope="col" key={column} className={`dc-cell-${cellNames[index]}`}>
            {t(`model:${column}`)}
          </th>
        ))}
        <th scope="col" className="dc-cell-tools">
          <span className="dc-visually-hidden">{t('common:actions')}</span>
        </th>
      </tr>
    </thead>
  );
};

/** Scrolls once per jump, as soon as the row exists, so that the user can scroll away afterwards. */
const useJump = (rows: ListedFunction[], jumpTo: Jump | null, scrollTo: (index: number) => void) => {
  const done = useRef<Jump | null>(null);
  useEffect(() => {
    const index = rows.findIndex(({ entry }) => entry.fn.signCode === jumpTo?.signCode);
    if (index < 0 || done.current === jumpTo) return;
    done.current = jumpTo;
    scrollTo(index);
  });
};

const useRowsInSight = (rows: ListedFunction[], jumpTo: Jump | null) => {
  const scroller = useRef<HTMLDivElement>(null);
  const mobile = useMobile();
  const all = rows.length <= VIRTUAL_FROM;
  const virtual = useVirtualizer({
    count: rows.length,
    enabled: !all,
    getScrollElement: () => scroller.current,
    estimateSize: () => (mobile ? ROW_HEIGHT.mobile : ROW_HEIGHT.desktop),
    getItemKey: (index) => rows[index]?.entry.key ?? index,
    overscan: 12,
  });
  useJump(rows, jumpTo, (index) => {
    if (!all) return virtual.scrollToIndex(index, { align: 'center' });
    scroller.current?.querySelector(`tr[data-index="${index}"]`)?.scrollIntoView({ block: 'nearest' });
  });
  const items = virtual.getVirtualItems();
  if (all) return { scroller, all, indexes: rows.map((_row, index) => index), above: 0, below: 0, measure: undefined };
  return {
    scroller,
    all,
    indexes: items.map(({ index }) => index),
    above: items[0]?.start ?? 0,
    below: virtual.getTotalSize() - (items.at(-1)?.end ?? 0),
    measure: virtual.measureElement,
  };
};

/** The functions in order. A long list renders only visible rows; CSS padding reserves the space of the others. */
export const FunctionList = memo(({ rows, readOnly, actions, jumpTo }: FunctionListProps) => {
  const { t } = useTranslation('model');
  const { scroller, all, indexes, above, below, measure } = useRowsInSight(rows, jumpTo);
  return (
    <div className="dc-fn-scroller" data-long={!all} ref={scroller}>
      <table className="dc-fn-table" aria-label={t('listTitle')} aria-rowcount={rows.length + 1}>
        <Head />
        <tbody style={{ '--above': `${above}px`, '--below': `${below}px` } as CSSProperties}>
          {indexes.map((index) => {
            const listed = rows[index];
            return (
              listed && (
                <FunctionRow
                  key={listed.entry.key}
                  rowKey={listed.entry.key}
                  fn={listed.entry.fn}
                  mark={listed.mark}
                  problem={listed.problem}
                  position={index + 1}
                  first={index === 0}
                  last={index === rows.length - 1}
                  readOnly={readOnly}
                  actions={actions}
                  measure={measure}
                />
              )
            );
          })}
        </tbody>
      </table>
    </div>
  );
});
