import { type BlackRow, controlCalls } from '@device-center/contract';
import { Button } from 'antd';
import { ShieldCheck } from 'lucide-react';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { useTenantFilter } from '../../../api/choices.ts';
import { usePlatformOperator } from '../../../api/platform-operator.ts';
import { useProductChoices } from '../../../api/product-choices.ts';
import { useCan } from '../../../api/session.ts';
import { useCall, useCommand } from '../../../api/use-call.ts';
import { ChoiceFilter } from '../../../ui/choice-select.tsx';
import { type Column, DataTable } from '../../../ui/data-table.tsx';
import { FilterBar } from '../../../ui/filter-bar.tsx';
import { useListSearch } from '../../../ui/list-search.ts';
import { PageHeader } from '../../../ui/page-header.tsx';
import { RelativeTime } from '../../../ui/relative-time.tsx';
import { EmptyState } from '../../../ui/states.tsx';
import { isAtWork, useJob } from '../list/bulk-job.ts';
import { useStartJob } from '../list/device-ask.ts';
import { DeviceName } from '../list/device-columns.tsx';
import { JobView } from '../list/job-view.tsx';
import '../list/device-list.css';
import { type BlackListSearch, blackListSearch } from './black-search.ts';

type BlackList = ReturnType<typeof useListSearch<BlackListSearch>>;

const BlackFilters = ({ list: { search, filter, filtered, clear } }: { list: BlackList }) => {
  const { t } = useTranslation('device');
  const products = useProductChoices(search.productId, { tenancyId: search.tenancyId });
  const tenants = useTenantFilter(search.tenancyId);
  return (
    <FilterBar
      filtered={filtered}
      onClear={clear}
      search={{
        label: t('searchLabel'),
        value: search.searchValue,
        onChange: (searchValue) => filter({ searchValue }),
      }}
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

const useBlackColumns = (): Column<BlackRow>[] => {
  const { t } = useTranslation('device');
  const operator = usePlatformOperator();
  return useMemo(() => {
    const tenant: Column<BlackRow> = {
      key: 'tenant',
      title: t('tenant'),
      width: 130,
      render: ({ tenancyName }) => tenancyName,
    };
    return [
      {
        key: 'name',
        title: t('nameAndId'),
        always: true,
        mobile: true,
        render: (device) => <DeviceName device={device} />,
      },
      { key: 'product', title: t('product'), width: 170, render: ({ productName }) => productName },
      ...(operator ? [tenant] : []),
      {
        key: 'reason',
        title: t('reason'),
        width: 240,
        render: ({ blackReason }) => blackReason || <span className="dc-muted">{t('noReason')}</span>,
      },
      {
        key: 'time',
        title: t('blackTime'),
        width: 130,
        mobile: true,
        render: ({ blackTime }) => <RelativeTime value={blackTime} />,
      },
      { key: 'by', title: t('blackBy'), width: 130, render: ({ blackBy }) => blackBy },
    ];
  }, [t, operator]);
};

const BlackListPage = () => {
  const { t } = useTranslation('device');
  const mayRemove = useCan('device:blacklist');
  const list = useListSearch(blackListSearch);
  const query = useCall(controlCalls.blackList, list.search, { keepPrevious: true });
  const columns = useBlackColumns();
  const unblack = useCommand(controlCalls.markBlack, { toast: true });
  const busy = isAtWork(useJob((state) => state.job));
  const start = useStartJob();
  return (
    <div className="dc-black-list">
      <PageHeader title={t('blackTitle')} subtitle={query.data ? t('blackCount', { total: query.data.total }) : ' '} />
      <DataTable<BlackRow>
        id="blackDevice"
        rowKey="deviceId"
        rowName={({ deviceName }) => deviceName}
        columns={columns}
        query={query}
        list={list}
        filters={<BlackFilters list={list} />}
        empty={<EmptyState icon={<ShieldCheck size={22} />} title={t('blackEmptyTitle')} text={t('blackEmptyText')} />}
        {...(mayRemove
          ? {
              actions: ({ deviceId, deviceName }: BlackRow) => (
                <Button
                  type="link"
                  size="small"
                  aria-label={t('unblackOf', { name: deviceName })}
                  onClick={() => unblack.mutate({ idList: [deviceId], op: 0 })}
                >
                  {t('unblackShort')}
                </Button>
              ),
              bulk: (devices: BlackRow[], done: () => void) => (
                <Button
                  size="small"
                  disabled={busy}
                  onClick={() => {
                    start({ kind: 'unblack' }, devices);
                    done();
                  }}
                >
                  {t('unblack')}
                </Button>
              ),
            }
          : {})}
      />
      <JobView />
    </div>
  );
};

export default BlackListPage;
