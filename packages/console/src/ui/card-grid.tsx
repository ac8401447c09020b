import { Checkbox, Pagination, type PaginationProps } from 'antd';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import './styles/card-grid.css';

type CardGridProps<Row extends object> = {
  rows: Row[];
  rowKey: keyof Row & string;
  rowName: (row: Row) => string;
  card: (row: Row) => ReactNode;
  /** Row actions, as in the table. */
  actions?: ((row: Row) => ReactNode) | undefined;
  choice?: { chosen: Row[]; onChange: (rows: Row[]) => void; selectable: (row: Row) => boolean } | undefined;
  pagination: PaginationProps;
};

/** Renders the rows of a list as cards, with the same selection, actions and pagination as the table. */
export const CardGrid = <Row extends object>(props: CardGridProps<Row>) => {
  const { rows, rowKey, rowName, card, actions, choice, pagination } = props;
  const { t } = useTranslation();
  const isChosen = (row: Row) => choice?.chosen.some((other) => other[rowKey] === row[rowKey]) ?? false;
  const choose = (row: Row, on: boolean) =>
    choice?.onChange(on ? [...choice.chosen, row] : choice.chosen.filter((other) => other[rowKey] !== row[rowKey]));
  return (
    <>
      <ul className="dc-card-grid">
        {rows.map((row) => (
          <li key={String(row[rowKey])} data-chosen={isChosen(row)}>
            {card(row)}
            <div className="dc-card-foot">
              {choice?.selectable(row) && (
                <Checkbox
                  checked={isChosen(row)}
                  aria-label={t('selectRow', { name: rowName(row) })}
                  onChange={(event) => choose(row, event.target.checked)}
                />
              )}
              {actions && <div className="dc-row-actions">{actions(row)}</div>}
            </div>
          </li>
        ))}
      </ul>
      <Pagination className="dc-card-pager" align="end" {...pagination} />
    </>
  );
};
