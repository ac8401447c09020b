import { type ZoneRow, zoneCalls } from '@device-center/contract';
import { Network, Plus } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useCall } from '../../../api/use-call.ts';
import { withoutRefetchIndicator } from '../../../api/without-refetch-indicator.ts';
import { Button } from '../../../ui/button.tsx';
import { DataTable } from '../../../ui/data-table.tsx';
import { useListSearch } from '../../../ui/list-search.ts';
import { PageHeader } from '../../../ui/page-header.tsx';
import { RowMenu, type RowMenuItem } from '../../../ui/row-menu.tsx';
import { EmptyState } from '../../../ui/states.tsx';
import '../../../ui/styles/reading.css';
import { Link, useNavigate } from '../../../ui/routing.ts';
import { DeleteZone } from '../delete-zone.tsx';
import '../zone.css';
import { zoneFormPath, zonePath } from '../../../paths.ts';
import { useMayChangeZones } from '../zone-access.ts';
import { zoneListSearch } from '../zone-search.ts';
import { useZoneColumns } from './zone-columns.tsx';
import { ZoneFilters } from './zone-filters.tsx';

const REFRESH_MS = 10_000;

const ZoneListPage = () => {
  const { t } = useTranslation(['zone', 'shell', 'common']);
  const navigate = useNavigate();
  const mayWrite = useMayChangeZones();
  const list = useListSearch(zoneListSearch);
  const query = withoutRefetchIndicator(
    useCall(zoneCalls.queryZoneList, list.search, { keepPrevious: true, refreshEvery: REFRESH_MS }),
  );
  const columns = useZoneColumns();
  const [deleting, setDeleting] = useState<ZoneRow>();
  const edit = (id: number) => ({ to: zoneFormPath, search: { id } });

  const create = mayWrite && (
    <Button
      type="primary"
      icon={<Plus size={16} aria-hidden />}
      onClick={() => void navigate({ to: zoneFormPath, search: {} })}
    >
      {t('shell:addZoneTitle')}
    </Button>
  );

  const rowActions = (zone: ZoneRow) => {
    if (!mayWrite) return <Link to={zonePath(zone.id)}>{t('common:view')}</Link>;
    const items: RowMenuItem[] = [
      { key: 'view', label: t('common:view'), onClick: () => void navigate({ to: zonePath(zone.id) }) },
      {
        key: 'delete',
        label: t('common:delete'),
        danger: true,
        disabled: zone.builtin === 1,
        onClick: () => setDeleting(zone),
      },
    ];
    return (
      <>
        <Link {...edit(zone.id)}>{t('common:edit')}</Link>
        <RowMenu name={zone.zoneName} items={items} />
      </>
    );
  };

  return (
    <>
      <PageHeader
        title={t('shell:zoneListTitle')}
        subtitle={
          query.data ? (
            <>
              <span>{t('zone:count', { total: query.data.total })}</span>
              <span>{t('zone:live', { seconds: REFRESH_MS / 1000 })}</span>
            </>
          ) : (
            ' '
          )
        }
        actions={create}
      />
      <DataTable<ZoneRow>
        id="zone"
        rowKey="id"
        rowName={({ zoneName }) => zoneName}
        columns={columns}
        actions={rowActions}
        query={query}
        list={list}
        filters={<ZoneFilters list={list} />}
        empty={
          <EmptyState
            icon={<Network size={22} />}
            title={t('zone:emptyTitle')}
            text={t('zone:emptyText')}
            action={create}
          />
        }
      />
      {deleting && (
        <DeleteZone zone={deleting} onClose={() => setDeleting(undefined)} onDeleted={() => setDeleting(undefined)} />
      )}
    </>
  );
};

export default ZoneListPage;
