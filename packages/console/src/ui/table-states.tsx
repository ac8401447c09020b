import type { Page } from '@device-center/contract';
import { type ReactNode, useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from './button.tsx';
import type { TableQuery } from './data-table.tsx';
import { FilterChips } from './filter-chips.tsx';
import type { ListState } from './list-search.ts';
import { EmptyState, ErrorCard } from './states.tsx';

const SKELETON_AFTER_MS = 150;
const SKELETON_ROWS = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'];

const useAfter = (delay: number): boolean => {
  const [passed, setPassed] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setPassed(true), delay);
    return () => clearTimeout(timer);
  }, [delay]);
  return passed;
};

/** Skeleton with the geometry of the table, so that the layout does not shift when the rows arrive. */
const TableSkeleton = ({ columns }: { columns: number }) => {
  const visible = useAfter(SKELETON_AFTER_MS);
  return (
    <div className="dc-skeleton" data-visible={visible} aria-hidden="true">
      {SKELETON_ROWS.map((row) => (
        <div key={row}>
          {SKELETON_ROWS.slice(0, Math.max(columns, 2)).map((cell) => (
            <i key={cell} />
          ))}
        </div>
      ))}
    </div>
  );
};

type TableBodyProps<Row> = {
  query: TableQuery<Row>;
  list: Pick<ListState, 'clear' | 'filtered' | 'search' | 'turn'>;
  empty: ReactNode;
  columnCount: number;
  children: (page: Page<Row>) => ReactNode;
};

/** Renders the state of a list: loading, error, empty, no match or rows. */
export const TableBody = <Row,>({ query, list, empty, columnCount, children }: TableBodyProps<Row>) => {
  const { t } = useTranslation();
  const { data: page, error } = query;
  const beyondTheEnd = page !== undefined && page.list.length === 0 && page.total > 0;
  const { pageIndex } = list.search;
  useEffect(() => {
    // The last row of the last page was deleted: go to the last existing page.
    if (beyondTheEnd && page && pageIndex > 1)
      list.turn({ pageIndex: Math.max(1, Math.ceil(page.total / page.pageSize)) });
  });
  if (error && !page) return <ErrorCard error={error} onRetry={() => void query.refetch()} />;
  if (!page || beyondTheEnd) return <TableSkeleton columns={columnCount} />;
  return (
    <>
      {error && <ErrorCard error={error} onRetry={() => void query.refetch()} />}
      {page.total === 0 && list.filtered && (
        <EmptyState
          title={t('noMatch')}
          text={t('noMatchText')}
          detail={<FilterChips />}
          action={<Button onClick={list.clear}>{t('clearFilters')}</Button>}
        />
      )}
      {page.total === 0 && !list.filtered && empty}
      {page.total > 0 && children(page)}
    </>
  );
};
