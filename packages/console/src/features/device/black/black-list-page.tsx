import { type BlackRow, controlCalls } from '@device-center/contract';
import { ShieldCheck } from 'lucide-react';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { usePlatformOperator } from '../../../api/platform-operator.ts';
import { useCan } from '../../../api/session.ts';
import { useCall } from '../../../api/use-call.ts';
import { Button } from '../../../ui/button.tsx';
import { type Column, DataTable } from '../../../ui/data-table.tsx';
import { nameColumn, tenantColumns } from '../../../ui/list-columns.tsx';
import { useListSearch } from '../../../ui/list-search.ts';
import { PageHeader } from '../../../ui/page-header.tsx';
import { RelativeTime } from '../../../ui/relative-time.tsx';
import { EmptyState } from '../../../ui/states.tsx';
import { isJobActive, useJob } from '../list/bulk-job.ts';
import { DeviceName } from '../list/device-columns.tsx';
import { JobView } from '../list/job-view.tsx';
import { useStartJob } from '../list/pending-action.ts';
import { ProductTenantFilters } from '../list/product-tenant-filters.tsx';
import { useRemoveFromBlacklist } from '../list/use-remove-from-blacklist.tsx';
import '../list/device-list.css';
import { blackListSearch } from './black-search.ts';

const useBlackColumns = (): Column<BlackRow>[] => {
  const { t } = useTranslation('device');
  const operator = usePlatformOperator();
  return useMemo(
    () => [
      nameColumn({ title: t('nameAndId'), render: (device) => <DeviceName device={device} /> }),
      { key: 'product', title: t('product'), width: 170, render: ({ productName }) => productName },
      ...tenantColumns<BlackRow>(operator, { title: t('tenant'), width: 130 }),
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
    ],
    [t, operator],
  );
};

const BlackListPage = () => {
  const { t } = useTranslation(['device', 'shell']);
  const mayRemove = useCan('device:blacklist');
  const list = useListSearch(blackListSearch);
  const query = useCall(controlCalls.blackList, list.search, { keepPrevious: true });
  const columns = useBlackColumns();
  const removeFromBlacklist = useRemoveFromBlacklist();
  const busy = isJobActive(useJob((state) => state.job));
  const start = useStartJob();
  return (
    <div className="dc-black-list">
      <PageHeader
        title={t('shell:blackListTitle')}
        subtitle={query.data ? t('blackCount', { total: query.data.total }) : ' '}
      />
      <DataTable<BlackRow>
        id="blackDevice"
        rowKey="deviceId"
        rowName={({ deviceName }) => deviceName}
        columns={columns}
        query={query}
        list={list}
        filters={
          <ProductTenantFilters
            list={list}
            textSearch={{
              label: t('searchLabel'),
              value: list.search.searchValue,
              onChange: (searchValue) => list.filter({ searchValue }),
            }}
          />
        }
        empty={<EmptyState icon={<ShieldCheck size={22} />} title={t('blackEmptyTitle')} text={t('blackEmptyText')} />}
        {...(mayRemove
          ? {
              actions: (device: BlackRow) => (
                <Button
                  type="link"
                  size="small"
                  aria-label={t('unblackOf', { name: device.deviceName })}
                  onClick={() => removeFromBlacklist([device])}
                >
                  {t('unblackShort')}
                </Button>
              ),
              bulk: (devices: BlackRow[], done: () => void) => (
                <Button
                  size="small"
                  disabled={busy}
                  onClick={() =>
                    removeFromBlacklist(devices, () => {
                      start({ kind: 'unblack' }, devices);
                      done();
                    })
                  }
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
