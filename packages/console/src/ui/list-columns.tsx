import type { Column } from './data-table.tsx';

type Told<Row, Fields extends keyof Column<Row> = never> = Pick<Column<Row>, 'title' | 'render' | Fields>;

/** Name and status tell rows apart: they are shown on a phone too, and nobody can hide them. */
const kept = { always: true, mobile: true } as const;

export const nameColumn = <Row,>(column: Told<Row>): Column<Row> => ({ key: 'name', ...kept, ...column });

export const statusColumn = <Row,>(column: Told<Row, 'width'>): Column<Row> => ({ key: 'status', ...kept, ...column });

/** Whose a row is, for those who see rows of more than one tenant; for others none. */
export const tenantColumns = <Row extends { tenancyName: string }>(
  shown: boolean,
  column: Pick<Column<Row>, 'title' | 'width' | 'optional'>,
): Column<Row>[] => (shown ? [{ key: 'tenant', ...column, render: ({ tenancyName }) => tenancyName }] : []);
