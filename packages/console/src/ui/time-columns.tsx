import i18next from 'i18next';
import type { Column } from './data-table.tsx';
import { RelativeTime } from './relative-time.tsx';

const WIDTH = 130;

/** Columns for creation and update time, by which every list can be sorted. */
export const timeColumns = <Row extends { createTime: string; updateTime: string }>(
  /** Hidden until the user asks for them. */
  hidden: readonly ('createTime' | 'updateTime')[] = [],
): Column<Row>[] => [
  {
    key: 'createTime',
    title: i18next.t('common:createTime'),
    width: WIDTH,
    sortField: 1,
    optional: hidden.includes('createTime'),
    render: ({ createTime }) => <RelativeTime value={createTime} />,
  },
  {
    key: 'updateTime',
    title: i18next.t('common:updateTime'),
    width: WIDTH,
    sortField: 2,
    optional: hidden.includes('updateTime'),
    render: ({ updateTime }) => <RelativeTime value={updateTime} />,
  },
];
