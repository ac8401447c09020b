import { type OutboxRow, outboxCalls, outboxStates } from '@device-center/contract';
import { Mail } from 'lucide-react';
import { useCallback, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useCall } from '../../api/use-call.ts';
import { DataTable } from '../../ui/data-table.tsx';
import { FilterBar, SegmentedFilter, SelectFilter } from '../../ui/filter-bar.tsx';
import { useListSearch } from '../../ui/list-search.ts';
import { PageHeader } from '../../ui/page-header.tsx';
import { EmptyState } from '../../ui/states.tsx';
import '../../ui/styles/reading.css';
import { DeliverySetupNote } from './delivery-setup-note.tsx';
import './outbox.css';
import { useOutboxColumns } from './outbox-columns.tsx';
import { OutboxDrawer } from './outbox-drawer.tsx';
import { outboxChannels, outboxListSearch } from './outbox-search.ts';

const REFRESH_MS = 10_000;

/** Hides background refreshes: a progress bar and a screen reader announcement every 10 s would disturb. */
const useSilentlyRefreshedList = (search: Parameters<typeof useOutboxList>[0]) => {
  const query = useOutboxList(search);
  const [requested, setRequested] = useState(false);
  const refetch = async () => {
    setRequested(true);
    await query.refetch();
    setRequested(false);
  };
  return {
    ...query,
    isFetching: query.isFetching && (requested || query.isPlaceholderData || query.isLoading),
    refetch,
  };
};

const useOutboxList = (search: ReturnType<typeof outboxListSearch.parse>) => {
  const { sortField: _onlyTime, ...input } = search;
  return useCall(outboxCalls.queryOutboxList, input, { keepPrevious: true, refreshEvery: REFRESH_MS });
};

const OutboxListPage = () => {
  const { t } = useTranslation('outbox');
  const list = useListSearch(outboxListSearch);
  const { search, filter } = list;
  const query = useSilentlyRefreshedList(search);
  const [opened, setOpened] = useState<OutboxRow>();
  const columns = useOutboxColumns(setOpened);
  return (
    <>
      <PageHeader
        title={t('listTitle')}
        subtitle={
          query.data ? (
            <>
              <span>{t('count', { total: query.data.total })}</span>
              <span>{t('live', { seconds: REFRESH_MS / 1000 })}</span>
            </>
          ) : (
            ' '
          )
        }
      />
      <DeliverySetupNote />
      <DataTable<OutboxRow>
        id="outbox"
        rowKey="outboxId"
        rowName={({ recipient }) => recipient}
        columns={columns}
        query={query}
        list={list}
        onOpen={setOpened}
        filters={
          <FilterBar
            filtered={list.filtered}
            onClear={list.clear}
            search={{
              label: t('recipient'),
              value: search.recipient,
              onChange: useCallback((recipient: string) => filter({ recipient }), [filter]),
            }}
          >
            <SelectFilter
              label={t('state')}
              options={outboxStates.map((state) => ({ value: state, label: t(state) }))}
              value={search.state}
              onChange={(state) => filter({ state })}
            />
            <SegmentedFilter
              label={t('channel')}
              options={outboxChannels.map((channel) => ({ value: channel, label: t(channel) }))}
              value={search.channel}
              onChange={(channel) => filter({ channel })}
            />
          </FilterBar>
        }
        empty={<EmptyState icon={<Mail size={22} />} title={t('emptyTitle')} text={t('emptyText')} />}
      />
      <OutboxDrawer message={opened} onClose={() => setOpened(undefined)} />
    </>
  );
};

export default OutboxListPage;
