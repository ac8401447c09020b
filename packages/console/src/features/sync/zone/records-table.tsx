import { type SyncCountRow, type SyncRecordRow, SyncStatus, syncCalls } from '@device-center/contract';
import { useTranslation } from 'react-i18next';
import { useCall } from '../../../api/use-call.ts';
import { withoutRefetchIndicator } from '../../../api/without-refetch-indicator.ts';
import { Button } from '../../../ui/button.tsx';
import { DataTable } from '../../../ui/data-table.tsx';
import { FilterBar, SelectFilter, TextFilter } from '../../../ui/filter-bar.tsx';
import type { ListState, useListSearch } from '../../../ui/list-search.ts';
import { Link } from '../../../ui/routing.ts';
import { EmptyState } from '../../../ui/states.tsx';
import type { SendRequest } from '../send/send-dialog.tsx';
import { syncStatusIds } from '../sync-badges.tsx';
import type { RecordListSearch } from '../sync-search.ts';
import { countsOf, refreshInterval, useMaySync } from '../sync-zone.ts';
import { nameOf, recordLink, useRecordColumns } from './record-columns.tsx';

export type RecordList = ReturnType<typeof useListSearch<RecordListSearch>>;

const filterKeys = ['deviceId', 'productId', 'syncStatus'] as const;

/** The list state of this table: clearing the filters keeps the tab. */
const tableList = (list: RecordList): ListState => ({
  search: list.search,
  turn: list.turn,
  clear: () => list.filter(Object.fromEntries(filterKeys.map((key) => [key, undefined]))),
  filtered: filterKeys.some((key) => list.search[key] !== undefined),
});

const Filters = ({ list }: { list: RecordList }) => {
  const { t } = useTranslation('sync');
  const { search, filter } = list;
  const { clear, filtered } = tableList(list);
  const product = {
    label: t('productId'),
    value: search.productId,
    onChange: (productId: string) => filter({ productId }),
  };
  const device = { label: t('deviceId'), value: search.deviceId, onChange: (deviceId: string) => filter({ deviceId }) };
  const ofDevices = search.dataType === 2;
  return (
    <FilterBar filtered={filtered} onClear={clear} search={ofDevices ? device : product}>
      {ofDevices && <TextFilter {...product} />}
      <SelectFilter
        label={t('syncStatus')}
        options={syncStatusIds.map((value) => ({ value, label: t(`status_${value}`) }))}
        value={search.syncStatus}
        onChange={(syncStatus) => filter({ syncStatus })}
      />
    </FilterBar>
  );
};

const isSending = ({ syncStatus }: SyncRecordRow): boolean => syncStatus === SyncStatus.synchronizing;

type RecordsTableProps = { zone: SyncCountRow; list: RecordList; onAsk: (ask: SendRequest) => void };

/** The sync records of the zone. */
export const RecordsTable = ({ zone, list, onAsk }: RecordsTableProps) => {
  const { t } = useTranslation(['sync', 'common']);
  const { search } = list;
  const { dataType } = search;
  const { zoneId, status } = zone;
  const underWay = countsOf(zone, dataType).sending > 0;
  const query = useCall(
    syncCalls.querySyncRecordList,
    { ...search, zoneId },
    { keepPrevious: true, refreshEvery: (last) => refreshInterval(underWay || (last?.list.some(isSending) ?? false)) },
  );
  const columns = useRecordColumns(dataType, status === 1);
  const mayChoose = useMaySync() && status === 1;
  return (
    <DataTable<SyncRecordRow>
      id={`syncRecords${dataType}`}
      rowKey="syncId"
      rowName={nameOf}
      columns={columns}
      actions={(record) => <Link {...recordLink(record)}>{t('common:view')}</Link>}
      query={withoutRefetchIndicator(query)}
      list={tableList(list)}
      filters={<Filters list={list} />}
      empty={<EmptyState title={t('sync:noRecordsTitle')} text={t(`sync:noRecordsText_${dataType}`)} />}
      {...(mayChoose
        ? {
            selectable: (record: SyncRecordRow) => !isSending(record),
            bulk: (records: SyncRecordRow[], done: () => void) => (
              <Button size="small" type="primary" onClick={() => onAsk({ zone, dataType, records, done })}>
                {t('sync:sendChosen')}
              </Button>
            ),
          }
        : {})}
    />
  );
};
