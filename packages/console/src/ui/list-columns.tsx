import type { Column } from './data-table.tsx';

type ColumnOptions<Row, Fields extends keyof Column<Row> = never> = Pick<Column<Row>, 'title' | 'render' | Fields>;

/** Name and status identify a row: they are shown on phones too and cannot be hidden. */
const alwaysShown = { always: true, mobile: true } as const;

export const nameColumn = <Row,>(column: ColumnOptions<Row>): Column<Row> => ({
  key: 'name',
  ...alwaysShown,
  ...column,
});

export const statusColumn = <Row,>(column: ColumnOptions<Row, 'width'>): Column<Row> => ({
  key: 'status',
  ...alwaysShown,
  ...column,
});

/** The tenant column, for users who see rows of several tenants; otherwise empty. */
export const tenantColumns = <Row extends { tenancyName: string }>(
  shown: boolean,
  column: Pick<Column<Row>, 'title' | 'width' | 'optional'>,
): Column<Row>[] => (shown ? [{ key: 'tenant', ...column, render: ({ tenancyName }) => tenancyName }] : []);
