import type { Page } from '@device-center/contract';
import { type PaginationProps, Table, type TableProps } from 'antd';
import { type MouseEvent, type ReactNode, useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { BulkBar } from './bulk-bar.tsx';
import { CardGrid } from './card-grid.tsx';
import { FilterChipsProvider } from './filter-chips.tsx';
import type { ListState } from './list-search.ts';
import { useMobile } from './media.ts';
import { usePreferences } from './preferences.ts';
import type { ShownError } from './states.tsx';
import { TableBody } from './table-states.tsx';
import { TableTools, useHiddenColumns } from './table-tools.tsx';

export type Column<Row> = {
  key: string;
  title: string;
  render: (row: Row) => ReactNode;
  width?: number;
  align?: 'left' | 'right';
  /** Also shown below 992 px; usually true for name and status. */
  mobile?: boolean;
  /** Hidden until the user asks for it. */
  optional?: boolean;
  /** Cannot be hidden. */
  always?: boolean;
  /** Sort field of the hub: 1 createTime, 2 updateTime; others depend on the call. */
  sortField?: number;
  /** The first click sorts ascending, as for names; by default it sorts descending, as for times. */
  ascendsFirst?: boolean;
};

export type TableQuery<Row> = {
  data: Page<Row> | undefined;
  error: ShownError | null;
  isFetching: boolean;
  refetch: () => unknown;
};

type DataTableProps<Row extends object> = {
  /** Key of the table in the user's preferences. */
  id: string;
  rowKey: keyof Row & string;
  rowName: (row: Row) => string;
  columns: Column<Row>[];
  /** Actions of a row: one text action and "…". */
  actions?: (row: Row) => ReactNode;
  query: TableQuery<Row>;
  list: ListState;
  filters?: ReactNode;
  empty: ReactNode;
  /** Actions on the selected rows. `done` clears the selection. */
  bulk?: (rows: Row[], done: () => void) => ReactNode;
  selectable?: (row: Row) => boolean;
  /** Renders a row as a card; if set, the rows are shown as a grid of cards instead of a table. */
  card?: (row: Row) => ReactNode;
  /** Called on a click anywhere in the row. A button in the first cell must do the same for the keyboard. */
  onOpen?: (row: Row) => void;
};

/** Ignores clicks on controls, clicks from portals such as menus, and clicks that end a text selection. */
const rowClickProps = (open: () => void) => ({
  className: 'dc-row-opens',
  onClick: ({ target, currentTarget }: MouseEvent<HTMLElement>) => {
    if (!(target instanceof Element) || !currentTarget.contains(target)) return;
    if (target.closest('a, button, input, label') || getSelection()?.isCollapsed === false) return;
    open();
  },
});

const SELECTION_WIDTH = 48;
const ACTIONS_WIDTH = 112;
/** Minimum width of a column without a fixed width. */
const FLEXIBLE_WIDTH = 120;

/** Minimum width of the table: with many columns it scrolls horizontally instead of shrinking the name column. */
const minTableWidth = (columns: readonly { width?: number }[]): number =>
  columns.reduce((sum, { width }) => sum + (width ?? FLEXIBLE_WIDTH), SELECTION_WIDTH + ACTIONS_WIDTH);

const sortOrders = { 1: 'ascend', 2: 'descend' } as const;
/** antd uses the entry after the current order; without the third entry a click could remove the sorting. */
const SORT_CYCLE: ('ascend' | 'descend')[] = ['descend', 'ascend', 'descend'];
const NAME_CYCLE: typeof SORT_CYCLE = ['ascend', 'descend', 'ascend'];

export const DataTable = <Row extends object>(props: DataTableProps<Row>) => {
  const { id, rowKey, rowName, columns, actions, query, list, filters, empty, bulk, selectable, card, onOpen } = props;
  const { t } = useTranslation();
  const mobile = useMobile();
  const density = usePreferences((state) => state.density);
  const [chosen, setChosen] = useState<Row[]>([]);
  const { search } = list;
  const hidden = useHiddenColumns(id, columns);

  const shown = useMemo(
    () => columns.filter((column) => (mobile ? column.mobile : column.always || !hidden.includes(column.key))),
    [columns, hidden, mobile],
  );

  const antdColumns: NonNullable<TableProps<Row>['columns']> = shown.map((column) => ({
    key: column.key,
    title: column.title,
    ...(column.width === undefined || mobile ? {} : { width: column.width }),
    ...(column.align === undefined ? {} : { align: column.align }),
    render: (_value: unknown, row: Row) => column.render(row),
    ...(column.sortField === undefined
      ? {}
      : {
          sorter: true,
          sortDirections: column.ascendsFirst ? NAME_CYCLE : SORT_CYCLE,
          showSorterTooltip: false,
          sortOrder: (search.sortField ?? 1) === column.sortField ? sortOrders[search.sortMode ?? 2] : null,
        }),
  }));
  if (actions) {
    antdColumns.push({
      key: 'actions',
      title: <span className="dc-visually-hidden">{t('actions')}</span>,
      align: 'right',
      width: mobile ? 96 : ACTIONS_WIDTH,
      render: (_value: unknown, row: Row) => <div className="dc-row-actions">{actions(row)}</div>,
    });
  }

  const onChange: TableProps<Row>['onChange'] = (_pagination, _filters, sorter, { action }) => {
    if (action !== 'sort' || Array.isArray(sorter)) return;
    const sortField = columns.find((column) => column.key === sorter.columnKey)?.sortField;
    if (sortField) list.turn({ sortField, sortMode: sorter.order === 'ascend' ? 1 : 2, pageIndex: 1 });
  };

  const paginationOf = (page: Page<Row>): PaginationProps => ({
    current: page.pageIndex,
    pageSize: page.pageSize,
    total: page.total,
    showSizeChanger: !mobile,
    pageSizeOptions: [10, 20, 50, 100],
    size: mobile ? 'small' : 'medium',
    simple: mobile,
    showTotal: (total, [from, to]) => t('pageTotal', { total, from, to }),
    onChange: (pageIndex, pageSize) => list.turn({ pageIndex: pageSize === search.pageSize ? pageIndex : 1, pageSize }),
  });

  return (
    <FilterChipsProvider>
      <section className="dc-card dc-table-card" aria-busy={query.isFetching}>
        <div className="dc-table-head">
          {filters}
          <TableTools id={id} columns={card ? [] : columns} onRefresh={() => void query.refetch()} />
        </div>
        <div className="dc-refresh-bar" data-on={query.isFetching && query.data !== undefined} aria-hidden="true" />
        <div role="status" className="dc-visually-hidden">
          {query.isFetching
            ? t('loading')
            : query.data
              ? t('resultCount', { total: query.data.total, count: query.data.total })
              : ''}
        </div>
        <TableBody query={query} list={list} empty={empty} columnCount={shown.length}>
          {(page) =>
            card ? (
              <CardGrid<Row>
                rows={page.list}
                {...{ rowKey, rowName, card, actions }}
                choice={bulk && { chosen, onChange: setChosen, selectable: selectable ?? (() => true) }}
                pagination={paginationOf(page)}
              />
            ) : (
              <Table<Row>
                className={`dc-table dc-table-${density}`}
                size="medium"
                rowKey={rowKey}
                columns={antdColumns}
                dataSource={page.list}
                onChange={onChange}
                sticky={!mobile}
                tableLayout={mobile ? 'auto' : 'fixed'}
                {...(mobile ? {} : { scroll: { x: minTableWidth(shown) } })}
                {...(onOpen ? { onRow: (row: Row) => rowClickProps(() => onOpen(row)) } : {})}
                {...(bulk
                  ? {
                      rowSelection: {
                        columnWidth: SELECTION_WIDTH,
                        selectedRowKeys: chosen.map((row) => String(row[rowKey])),
                        preserveSelectedRowKeys: true,
                        onChange: (_keys: unknown, rows: Row[]) => setChosen(rows),
                        getTitleCheckboxProps: () => ({ 'aria-label': t('selectAll') }),
                        getCheckboxProps: (row: Row) => ({
                          disabled: selectable ? !selectable(row) : false,
                          'aria-label': t('selectRow', { name: rowName(row) }),
                        }),
                      },
                    }
                  : {})}
                pagination={paginationOf(page)}
              />
            )
          }
        </TableBody>
        {bulk !== undefined && chosen.length > 0 && (
          <BulkBar count={chosen.length} onClear={() => setChosen([])}>
            {bulk(chosen, () => setChosen([]))}
          </BulkBar>
        )}
      </section>
    </FilterChipsProvider>
  );
};
