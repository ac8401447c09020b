import { type CommandRow, controlCalls, type DeviceDetails } from '@device-center/contract';
import { History } from 'lucide-react';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { useCall } from '../../../api/use-call.ts';
import { countText } from '../../../i18n/numbers.ts';
import { ValueView } from '../../../model/values/value-view.tsx';
import { type Column, DataTable } from '../../../ui/data-table.tsx';
import { RelativeTime } from '../../../ui/relative-time.tsx';
import { EmptyState } from '../../../ui/states.tsx';
import { CommandOutcome } from './command-result.tsx';
import { type DetailList, tabList } from './tab-list.ts';

/** The stored text of the sent value; text that is not JSON is shown as it is. */
const sentValue = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
};

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
        render: ({ value }) => <Value value={value === '' ? null : sentValue(value)} />,
      },
      {
        key: 'answer',
        title: t('answer'),
        mobile: true,
        render: (row) => (
          <>
            <CommandOutcome result={row} past />
            {row.output !== null && row.output !== undefined && <Value value={row.output} />}
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

const Value = ({ value }: { value: unknown }) => (
  <div className="dc-command-value">
    <ValueView type={undefined} value={value} />
  </div>
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
