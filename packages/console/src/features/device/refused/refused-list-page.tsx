import { type ConnectRow, LATEST_SHOWN } from '@device-center/contract';
import { ShieldCheck } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { useTenantFilter } from '../../../api/choices.ts';
import { useProductChoices } from '../../../api/product-choices.ts';
import { languageTag } from '../../../i18n/language.ts';
import { ChoiceFilter } from '../../../ui/choice-select.tsx';
import { DataTable } from '../../../ui/data-table.tsx';
import { FilterBar } from '../../../ui/filter-bar.tsx';
import { useListSearch } from '../../../ui/list-search.ts';
import { LiveDot } from '../../../ui/live-dot.tsx';
import { PageHeader } from '../../../ui/page-header.tsx';
import { EmptyState } from '../../../ui/states.tsx';
import { deviceListPath } from '../list/device-search.ts';
import { useRefusedColumns } from './refused-columns.tsx';
import { type RefusedListSearch, refusedListSearch } from './refused-search.ts';
import { useRefusals } from './use-refusals.ts';
import '../../../ui/styles/reading.css';
import './refused.css';

type RefusedList = ReturnType<typeof useListSearch<RefusedListSearch>>;

const RefusedFilters = ({ list: { search, filter, filtered, clear } }: { list: RefusedList }) => {
  const { t } = useTranslation('refused');
  const products = useProductChoices(search.productId, { tenancyId: search.tenancyId });
  const tenants = useTenantFilter(search.tenancyId);
  return (
    <FilterBar
      filtered={filtered}
      onClear={clear}
      search={{ label: t('deviceId'), value: search.deviceId, onChange: (deviceId) => filter({ deviceId }) }}
    >
      <ChoiceFilter
        label={t('product')}
        choices={products}
        value={search.productId}
        onChange={(productId) => filter({ productId })}
      />
      {tenants && (
        <ChoiceFilter
          label={t('tenant')}
          choices={tenants}
          value={search.tenancyId}
          onChange={(tenancyId) => filter({ tenancyId })}
        />
      )}
    </FilterBar>
  );
};

/** Who knocked and was not let in, why, and what can be done about it. */
const RefusedListPage = () => {
  const { t } = useTranslation(['refused', 'device']);
  const list = useListSearch(refusedListSearch);
  const { query, live } = useRefusals(list.search);
  const columns = useRefusedColumns();
  const total = query.data?.total;
  return (
    <div className="dc-refused-list">
      <PageHeader
        title={t('device:refusedLogins')}
        backTo={deviceListPath}
        subtitle={
          <>
            {total === undefined ? ' ' : t('refused:count', { total: total.toLocaleString(languageTag()) })}
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
        filters={<RefusedFilters list={list} />}
        empty={<EmptyState icon={<ShieldCheck size={22} />} title={t('refused:empty')} text={t('refused:emptyText')} />}
      />
    </div>
  );
};

export default RefusedListPage;
