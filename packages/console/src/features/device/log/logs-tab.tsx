import { type DeviceDetails, LATEST_SHOWN, type LogRow, recordCalls, visibleText } from '@device-center/contract';
import { ScrollText } from 'lucide-react';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { useCall } from '../../../api/use-call.ts';
import { type Column, DataTable } from '../../../ui/data-table.tsx';
import { timesOf } from '../../../ui/day-range.ts';
import { DayRangeFilter } from '../../../ui/day-range-filter.tsx';
import { FilterBar, SelectFilter } from '../../../ui/filter-bar.tsx';
import { useMobile } from '../../../ui/media.ts';
import { absoluteText } from '../../../ui/relative-time.tsx';
import { EmptyState } from '../../../ui/states.tsx';
import { type DetailList, tabList } from '../detail/tab-list.ts';
import { LogFiles } from './log-files.tsx';
import { LevelBadge, levelName, lineLevelIds } from './log-level.tsx';
import './log.css';

const FILTERS = ['level', 'from', 'to', 'searchValue'] as const;

const useLogColumns = (): Column<LogRow>[] => {
  const { t } = useTranslation('deviceDetail');
  const mobile = useMobile();
  return useMemo(() => {
    const time = ({ createTime }: LogRow) => <span className="dc-time">{absoluteText(createTime)}</span>;
    const log: Column<LogRow> = {
      key: 'log',
      title: t('log'),
      always: true,
      mobile: true,
      render: (row) => (
        <>
          {/* On a phone three columns leave no room for the text. */}
          {mobile && (
            <p className="dc-log-head">
              {time(row)} <LevelBadge level={row.level} />
            </p>
          )}
          <code className="dc-log-text">{visibleText(row.log)}</code>
        </>
      ),
    };
    return [
      { key: 'time', title: t('time'), width: 196, sortField: 1, render: time },
      { key: 'level', title: t('level'), width: 90, render: ({ level }) => <LevelBadge level={level} /> },
      log,
    ];
  }, [t, mobile]);
};

const LogFilters = ({ list }: { list: DetailList }) => {
  const { t } = useTranslation('deviceDetail');
  const { search, filter } = list;
  const own = tabList(list, FILTERS);
  return (
    <FilterBar
      filtered={own.filtered}
      onClear={own.clear}
      search={{ label: t('searchLog'), value: search.searchValue, onChange: (searchValue) => filter({ searchValue }) }}
    >
      <SelectFilter
        label={t('level')}
        value={search.level}
        options={lineLevelIds.map((value) => ({ value, label: t('levelAtLeast', { level: levelName(value) }) }))}
        onChange={(level) => filter({ level })}
      />
      <DayRangeFilter label={t('dates')} range={search} onChange={(range) => filter(range)} />
    </FilterBar>
  );
};

type LogsTabProps = { device: DeviceDetails; list: DetailList };

const LogsTab = ({ device, list }: LogsTabProps) => {
  const { t } = useTranslation('deviceDetail');
  const { deviceId, logFiles } = device;
  const { pageIndex, pageSize, sortMode, level, from, to, searchValue } = list.search;
  const query = useCall(
    recordCalls.queryDeviceLogList,
    { deviceId, pageIndex, pageSize, sortMode, level, searchValue, ...timesOf({ from, to }) },
    { keepPrevious: true },
  );
  return (
    <div className="dc-logs">
      <div className="dc-logs-main">
        {(query.data?.total ?? 0) >= LATEST_SHOWN && (
          <p className="dc-note" role="status">
            {t('latest')}
          </p>
        )}
        <DataTable<LogRow>
          id="deviceLog"
          rowKey="id"
          rowName={({ id }) => id}
          columns={useLogColumns()}
          query={query}
          list={tabList(list, FILTERS)}
          filters={<LogFilters list={list} />}
          empty={<EmptyState icon={<ScrollText size={22} />} title={t('logsEmpty')} text={t('logsEmptyText')} />}
        />
      </div>
      <LogFiles names={logFiles} />
    </div>
  );
};

export default LogsTab;
