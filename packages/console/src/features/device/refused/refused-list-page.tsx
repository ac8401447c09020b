import { type ConnectRow, LATEST_SHOWN } from '@device-center/contract';
import { ShieldCheck } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { countText } from '../../../i18n/numbers.ts';
import { DataTable } from '../../../ui/data-table.tsx';
import { useListSearch } from '../../../ui/list-search.ts';
import { LiveDot } from '../../../ui/live-dot.tsx';
import { PageHeader } from '../../../ui/page-header.tsx';
import { EmptyState } from '../../../ui/states.tsx';
import { ProductTenantFilters } from '../list/product-tenant-filters.tsx';
import { useRefusedColumns } from './refused-columns.tsx';
import { refusedListSearch } from './refused-search.ts';
import { useRefusals } from './use-refusals.ts';
import '../../../ui/styles/reading.css';
import './refused.css';
import { deviceListPath } from '../../../paths.ts';

/** Who knocked and was not let in, why, and what can be done about it. */
const RefusedListPage = () => {
  const { t } = useTranslation(['refused', 'shell']);
  const list = useListSearch(refusedListSearch);
  const { query, live } = useRefusals(list.search);
  const columns = useRefusedColumns();
  const total = query.data?.total;
  return (
    <div className="dc-refused-list">
      <PageHeader
        title={t('shell:refusedListTitle')}
        backTo={deviceListPath}
        subtitle={
          <>
            {total === undefined ? ' ' : t('refused:count', { total: countText(total) })}
            {total === LATEST_SHOWN && <span>{t('refused:latest')}</span>}
            <LiveDot state={live} />
          </>
        }
      />
      <DataTable<ConnectRow>
        id="refused"
        rowKey="id"
        rowName={({ deviceId }) => deviceId}
        columns={columns}
        query={query}
        list={list}
        filters={
          <ProductTenantFilters
            list={list}
            typed={{
              label: t('refused:deviceId'),
              value: list.search.deviceId,
              onChange: (deviceId) => list.filter({ deviceId }),
            }}
          />
        }
        empty={<EmptyState icon={<ShieldCheck size={22} />} title={t('refused:empty')} text={t('refused:emptyText')} />}
      />
    </div>
  );
};

export default RefusedListPage;
