import { type CommandRow, controlCalls, type DeviceDetails } from '@device-center/contract';
import { History } from 'lucide-react';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { useCall } from '../../../api/use-call.ts';
import { countText } from '../../../i18n/numbers.ts';
import { type Column, DataTable } from '../../../ui/data-table.tsx';
import { RelativeTime } from '../../../ui/relative-time.tsx';
import { EmptyState } from '../../../ui/states.tsx';
import { CommandOutcome } from './command-result.tsx';
import { type DetailList, tabList } from './tab-list.ts';

const jsonOf = (value: unknown): string => (value === null || value === undefined ? '' : JSON.stringify(value));

const useCommandColumns = (): Column<CommandRow>[] => {
  const { t } = useTranslation('deviceDetail');
  return useMemo(
    () => [
      {
        key: 'function',
        title: t('function'),
        always: true,
        mobile: true,
        width: 180,
        render: ({ functionId }) => <code className="dc-mono">{functionId}</code>,
      },
      {
        key: 'sent',
        title: t('sent'),
        render: ({ value }) => <Clipped text={value} />,
      },
      {
        key: 'answer',
        title: t('answer'),
        mobile: true,
        render: (row) => (
          <>
            <CommandOutcome result={row} past />
            <Clipped text={jsonOf(row.output)} />
          </>
        ),
      },
      {
        key: 'cost',
        title: 'ms',
        width: 70,
        align: 'right',
        render: ({ costMs }) => <span className="dc-number">{countText(costMs)}</span>,
      },
      { key: 'creator', title: t('creator'), width: 110, render: ({ creator }) => creator },
      { key: 'time', title: t('time'), width: 120, render: ({ createTime }) => <RelativeTime value={createTime} /> },
    ],
    [t],
  );
};

const Clipped = ({ text }: { text: string }) => (
  <code className="dc-mono dc-clipped" title={text}>
    {text}
  </code>
);

type CommandHistoryProps = { device: DeviceDetails; list: DetailList };

export const CommandHistory = ({ device: { deviceId }, list }: CommandHistoryProps) => {
  const { t } = useTranslation('deviceDetail');
  const { pageIndex, pageSize } = list.search;
  const query = useCall(controlCalls.getDeviceCommands, { deviceId, pageIndex, pageSize }, { keepPrevious: true });
  return (
    <section className="dc-command-history">
      <h2>{t('history')}</h2>
      <DataTable<CommandRow>
        id="deviceCommand"
        rowKey="messageId"
        rowName={({ functionId }) => functionId}
        columns={useCommandColumns()}
        query={query}
        list={tabList(list, [])}
        empty={<EmptyState icon={<History size={22} />} title={t('historyEmpty')} text={t('historyEmptyText')} />}
      />
    </section>
  );
};
