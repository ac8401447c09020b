import { type ConnectRow, LATEST_SHOWN, type RefusedGroup, recordCalls } from '@device-center/contract';
import { Segmented } from 'antd';
import { ShieldCheck } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { useCall } from '../../../api/use-call.ts';
import { countText } from '../../../i18n/numbers.ts';
import { deviceListPath } from '../../../paths.ts';
import { DataTable } from '../../../ui/data-table.tsx';
import { useListSearch } from '../../../ui/list-search.ts';
import { LiveDot } from '../../../ui/live-dot.tsx';
import { PageHeader } from '../../../ui/page-header.tsx';
import { EmptyState } from '../../../ui/states.tsx';
import { ProductTenantFilters } from '../list/product-tenant-filters.tsx';
import { useGroupColumns } from './group-columns.tsx';
import { useRefusedColumns } from './rejected-columns.tsx';
import { refusedListSearch } from './rejected-search.ts';
import { useRefusalNews } from './use-rejections.ts';
import '../../../ui/styles/reading.css';
import './rejected.css';

/** Who tried to connect and was not let in, why, and what can be done about it. */
const RefusedListPage = () => {
  const { t } = useTranslation(['refused', 'shell']);
  const list = useListSearch(refusedListSearch);
  const { sortField: _field, view, ...asked } = list.search;
  const each = view === 'each';
  const groups = useCall(recordCalls.queryRefusedLoginGroups, asked, { keepPrevious: true, enabled: !each });
  const records = useCall(recordCalls.queryRefusedLogins, asked, { keepPrevious: true, enabled: each });
  const live = useRefusalNews(asked.tenancyId, each ? records.refetch : groups.refetch);
  const columns = useRefusedColumns();
  const groupColumns = useGroupColumns();
  const total = (each ? records : groups).data?.total;
  const shared = {
    list,
    filters: (
      <>
        <Segmented<'groups' | 'each'>
          aria-label={t('refused:view')}
          value={view ?? 'groups'}
          options={[
            { value: 'groups', label: t('refused:viewGroups') },
            { value: 'each', label: t('refused:viewEach') },
          ]}
          onChange={(chosen) => list.filter({ view: chosen === 'each' ? 'each' : undefined })}
        />
        <ProductTenantFilters
          list={list}
          typed={{
            label: t('refused:deviceId'),
            value: asked.deviceId,
            onChange: (deviceId) => list.filter({ deviceId }),
          }}
        />
      </>
    ),
    empty: <EmptyState icon={<ShieldCheck size={22} />} title={t('refused:empty')} text={t('refused:emptyText')} />,
  };
  return (
    <div className="dc-refused-list">
      <PageHeader
        title={t('shell:refusedListTitle')}
        backTo={deviceListPath}
        subtitle={
          <>
            {total === undefined ? ' ' : t(each ? 'refused:count' : 'refused:countGroups', { total: countText(total) })}
            {each && total === LATEST_SHOWN && <span>{t('refused:latest')}</span>}
            <LiveDot state={live} />
          </>
        }
      />
      {each ? (
        <DataTable<ConnectRow>
          id="refused"
          rowKey="id"
          rowName={({ deviceId }) => deviceId}
          columns={columns}
          query={records}
          {...shared}
        />
      ) : (
        <DataTable<RefusedGroup>
          id="refusedGroups"
          rowKey="id"
          rowName={({ deviceName, deviceId }) => deviceName || deviceId}
          columns={groupColumns}
          query={groups}
          {...shared}
        />
      )}
    </div>
  );
};

export default RefusedListPage;
