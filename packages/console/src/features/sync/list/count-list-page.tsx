import { Menu, type SyncCountRow, syncCalls } from '@device-center/contract';
import { RefreshCw } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { mayOpen, useSession } from '../../../api/session.ts';
import { useCall } from '../../../api/use-call.ts';
import { withoutRefetchIndicator } from '../../../api/without-refetch-indicator.ts';
import { DataTable } from '../../../ui/data-table.tsx';
import { EnabledFilter, FilterBar } from '../../../ui/filter-bar.tsx';
import { useListSearch } from '../../../ui/list-search.ts';
import { useMobile } from '../../../ui/media.ts';
import { PageHeader } from '../../../ui/page-header.tsx';
import { EmptyState } from '../../../ui/states.tsx';
import '../../../ui/styles/reading.css';
import { zoneListPath } from '../../../paths.ts';
import { Link } from '../../../ui/routing.ts';
import { SendDialog, type SendRequest } from '../send/send-dialog.tsx';
import { type CountListSearch, countListSearch, syncZoneOf } from '../sync-search.ts';
import { refreshIntervalOf } from '../sync-zone.ts';
import { CountCard, useCountColumns } from './count-columns.tsx';

type CountList = ReturnType<typeof useListSearch<CountListSearch>>;

const Filters = ({ list: { search, filter, filtered, clear } }: { list: CountList }) => {
  const { t } = useTranslation('sync');
  return (
    <FilterBar
      filtered={filtered}
      onClear={clear}
      search={{ label: t('zoneName'), value: search.zoneName, onChange: (zoneName) => filter({ zoneName }) }}
    >
      <EnabledFilter label={t('status')} value={search.status} onChange={(status) => filter({ status })} />
    </FilterBar>
  );
};

const CountListPage = () => {
  const { t } = useTranslation(['sync', 'shell', 'common']);
  const list = useListSearch(countListSearch);
  const query = withoutRefetchIndicator(
    useCall(syncCalls.querySyncRecordCount, list.search, {
      keepPrevious: true,
      refreshEvery: (last) => refreshIntervalOf(last?.list),
    }),
  );
  const [ask, setAsk] = useState<SendRequest>();
  const columns = useCountColumns(setAsk);
  const mobile = useMobile();
  const mayZones = mayOpen([Menu.availableList], useSession());
  return (
    <>
      <PageHeader
        title={t('shell:syncTitle')}
        subtitle={
          query.data ? (
            <>
              <span>{t('sync:count', { total: query.data.total })}</span>
              <span>{t('sync:live', { seconds: refreshIntervalOf(query.data.list) / 1000 })}</span>
            </>
          ) : (
            ' '
          )
        }
      />
      <DataTable<SyncCountRow>
        id="sync"
        rowKey="zoneId"
        rowName={({ zoneName }) => zoneName}
        columns={columns}
        actions={(zone) => <Link to={syncZoneOf(zone)}>{t('common:view')}</Link>}
        query={query}
        list={list}
        filters={<Filters list={list} />}
        {...(mobile ? { card: (zone: SyncCountRow) => <CountCard zone={zone} onAsk={setAsk} /> } : {})}
        empty={
          <EmptyState
            icon={<RefreshCw size={22} />}
            title={t('sync:emptyTitle')}
            text={t('sync:emptyText')}
            action={mayZones && <Link to={zoneListPath}>{t('sync:toZones')}</Link>}
          />
        }
      />
      {ask && <SendDialog ask={ask} onClose={() => setAsk(undefined)} />}
    </>
  );
};

export default CountListPage;
