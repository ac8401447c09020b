import { type DeviceDetails, type MessageRow, recordCalls } from '@device-center/contract';
import { MessagesSquare } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useCall } from '../../../api/use-call.ts';
import { DataTable } from '../../../ui/data-table.tsx';
import { timesOf } from '../../../ui/day-range.ts';
import { DayRangeFilter } from '../../../ui/day-range-filter.tsx';
import { FilterBar, SegmentedFilter, SelectFilter, TextFilter } from '../../../ui/filter-bar.tsx';
import { EmptyState } from '../../../ui/states.tsx';
import type { DeviceDetailSearch } from './device-detail-search.ts';
import { useLiveEvents } from './device-live.tsx';
import { saveFile } from './fetch-file.ts';
import { useFunctionNames } from './function-names.ts';
import { useMessageColumns } from './message-columns.tsx';
import { MessageDrawer } from './message-drawer.tsx';
import { SaveButton } from './save-button.tsx';
import { type DetailList, tabList } from './tab-list.ts';

const FILTERS = ['functionType', 'dataFlow', 'functionId', 'messageId', 'from', 'to'] as const;
/** A device may send a hundred messages a second: the list is refetched at most once per interval. */
const REFRESH_MS = 1_000;

const filterInput = (deviceId: string, search: DeviceDetailSearch) => {
  const { functionType, dataFlow, functionId, messageId, from, to } = search;
  return { deviceId, functionType, dataFlow, functionId, messageId, ...timesOf({ from, to }) };
};

/** Refetches on new messages while the first page is shown. */
const useLiveRefetch = (enabled: boolean, refetch: () => unknown): void => {
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);
  useLiveEvents((event) => {
    if (!enabled || timer.current !== undefined || (event.kind !== 'message' && event.kind !== 'gap')) return;
    timer.current = setTimeout(() => {
      timer.current = undefined;
      void refetch();
    }, REFRESH_MS);
  });
};

const MessageFilters = ({ list }: { list: DetailList }) => {
  const { t } = useTranslation('deviceDetail');
  const { search, filter } = list;
  const own = tabList(list, FILTERS);
  return (
    <FilterBar
      filtered={own.filtered}
      onClear={own.clear}
      search={{ label: t('functionId'), value: search.functionId, onChange: (functionId) => filter({ functionId }) }}
    >
      <SelectFilter
        label={t('functionType')}
        value={search.functionType}
        options={([1, 2, 3] as const).map((value) => ({ value, label: t(`functionType_${value}`) }))}
        onChange={(functionType) => filter({ functionType })}
      />
      <SegmentedFilter
        label={t('dataFlow')}
        value={search.dataFlow}
        options={([1, 2] as const).map((value) => ({ value, label: t(`dataFlow_${value}`) }))}
        onChange={(dataFlow) => filter({ dataFlow })}
      />
      <DayRangeFilter minutes label={t('dates')} range={search} onChange={(range) => filter(range)} />
      <TextFilter label={t('messageId')} value={search.messageId} onChange={(messageId) => filter({ messageId })} />
    </FilterBar>
  );
};

type MessagesTabProps = { device: DeviceDetails; list: DetailList };

const MessagesTab = ({ device: { deviceId, productId }, list }: MessagesTabProps) => {
  const { t } = useTranslation('deviceDetail');
  const [open, setOpen] = useState<MessageRow>();
  const { search } = list;
  const { pageIndex, pageSize } = search;
  const nameOf = useFunctionNames(productId);
  const query = useCall(
    recordCalls.deviceMessageRecord,
    { ...filterInput(deviceId, search), pageIndex, pageSize },
    { keepPrevious: true },
  );
  useLiveRefetch(pageIndex === 1, query.refetch);
  return (
    <>
      <DataTable<MessageRow>
        id="deviceMessage"
        rowKey="id"
        rowName={({ messageId }) => messageId}
        columns={useMessageColumns(setOpen, nameOf)}
        // A background refetch must not flicker or be announced by screen readers.
        query={{ ...query, isFetching: query.isFetching && (query.data === undefined || query.isPlaceholderData) }}
        list={tabList(list, FILTERS)}
        onOpen={setOpen}
        filters={
          <>
            <MessageFilters list={list} />
            <SaveButton
              label={t('export')}
              failed={t('exportFailed')}
              save={() =>
                saveFile(recordCalls.exportDeviceMessages, filterInput(deviceId, search), `${deviceId}-messages.csv`)
              }
            >
              {t('export')}
            </SaveButton>
          </>
        }
        empty={
          <EmptyState icon={<MessagesSquare size={22} />} title={t('messagesEmpty')} text={t('messagesEmptyText')} />
        }
      />
      <MessageDrawer message={open} nameOf={nameOf} onClose={() => setOpen(undefined)} />
    </>
  );
};

export default MessagesTab;
