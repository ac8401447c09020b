import { type ConnectRow, LATEST_SHOWN, type RejectedGroup, recordCalls } from '@device-center/contract';
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
import { useRejectedColumns } from './rejected-columns.tsx';
import { rejectedListSearch } from './rejected-search.ts';
import { useRejections } from './use-rejections.ts';
import '../../../ui/styles/reading.css';
import './rejected.css';

/** Rejected connections with their reasons and remedies. */
const RejectedListPage = () => {
  const { t } = useTranslation(['rejected', 'shell']);
  const list = useListSearch(rejectedListSearch);
  const { sortField: _field, view, ...input } = list.search;
  const showsEach = view === 'each';
  const groups = useCall(recordCalls.queryRefusedLoginGroups, input, { keepPrevious: true, enabled: !showsEach });
  const records = useCall(recordCalls.queryRefusedLogins, input, { keepPrevious: true, enabled: showsEach });
  const live = useRejections(input.tenancyId, showsEach ? records.refetch : groups.refetch);
  const columns = useRejectedColumns();
  const groupColumns = useGroupColumns();
  const total = (showsEach ? records : groups).data?.total;
  const shared = {
    list,
    filters: (
      <>
        <Segmented<'groups' | 'each'>
          aria-label={t('rejected:view')}
          value={view ?? 'groups'}
          options={[
            { value: 'groups', label: t('rejected:viewGroups') },
            { value: 'each', label: t('rejected:viewEach') },
          ]}
          onChange={(chosen) => list.filter({ view: chosen === 'each' ? 'each' : undefined })}
        />
        <ProductTenantFilters
          list={list}
          textSearch={{
            label: t('rejected:deviceId'),
            value: input.deviceId,
            onChange: (deviceId) => list.filter({ deviceId }),
          }}
        />
      </>
    ),
    empty: <EmptyState icon={<ShieldCheck size={22} />} title={t('rejected:empty')} text={t('rejected:emptyText')} />,
  };
  return (
    <div className="dc-rejected-list">
      <PageHeader
        title={t('shell:rejectedListTitle')}
        backTo={deviceListPath}
        subtitle={
          <>
            {total === undefined
              ? ' '
              : t(showsEach ? 'rejected:count' : 'rejected:countGroups', { total: countText(total) })}
            {showsEach && total === LATEST_SHOWN && <span>{t('rejected:latest')}</span>}
            <LiveDot state={live} />
          </>
        }
      />
      {showsEach ? (
        <DataTable<ConnectRow>
          id="refused"
          rowKey="id"
          rowName={({ deviceId }) => deviceId}
          columns={columns}
          query={records}
          {...shared}
        />
      ) : (
        <DataTable<RejectedGroup>
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

export default RejectedListPage;
