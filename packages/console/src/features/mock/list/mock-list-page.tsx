import { type MockRow, mockCalls } from '@device-center/contract';
import { Plus } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useCall } from '../../../api/use-call.ts';
import { Button } from '../../../ui/button.tsx';
import { DataTable } from '../../../ui/data-table.tsx';
import { useListSearch } from '../../../ui/list-search.ts';
import { LiveDot } from '../../../ui/live-dot.tsx';
import { PageHeader } from '../../../ui/page-header.tsx';
import { type ListView, ViewSwitch } from '../../../ui/view-switch.tsx';
import '../../../ui/styles/reading.css';
import { samePage, useNavigate } from '../../../ui/routing.ts';
import { DeleteMock } from './delete-mock.tsx';
import { useLiveMocks } from './live-mocks.ts';
import { MockCard } from './mock-card.tsx';
import { useMockColumns } from './mock-columns.tsx';
import { MockFilters } from './mock-filters.tsx';
import './mock-list.css';
import { mockFormPath } from '../../../paths.ts';
import { mockListSearch } from './mock-search.ts';
import { NoMocks } from './no-mocks.tsx';
import { RowActions } from './row-actions.tsx';

const MockListPage = () => {
  const { t } = useTranslation('mock');
  const navigate = useNavigate();
  const list = useListSearch(mockListSearch);
  const { view, ...filters } = list.search;
  const query = useCall(mockCalls.queryMockDeviceList, filters, { keepPrevious: true });
  const live = useLiveMocks();
  const columns = useMockColumns();
  const [deleting, setDeleting] = useState<MockRow>();

  const show = (next: ListView) =>
    void navigate({
      to: samePage(mockListSearch),
      search: { ...list.search, view: next === 'table' ? next : undefined },
      replace: true,
    });
  const create = (
    <Button type="primary" icon={<Plus size={16} aria-hidden />} onClick={() => void navigate({ to: mockFormPath })}>
      {t('create')}
    </Button>
  );

  return (
    <div className="dc-mock-list">
      <PageHeader
        title={t('title')}
        subtitle={
          <>
            {query.data ? t('count', { total: query.data.total }) : ' '}
            <LiveDot state={live} />
          </>
        }
        actions={
          <>
            <ViewSwitch view={view ?? 'cards'} onChange={show} />
            {create}
          </>
        }
      />
      <DataTable<MockRow>
        id="mock"
        rowKey="deviceId"
        rowName={({ deviceName }) => deviceName}
        columns={columns}
        actions={(mock) => <RowActions mock={mock} onDelete={() => setDeleting(mock)} />}
        query={query}
        list={list}
        {...(view === undefined ? { card: (mock: MockRow) => <MockCard mock={mock} /> } : {})}
        filters={<MockFilters list={list} />}
        empty={<NoMocks create={create} />}
      />
      {deleting && <DeleteMock mock={deleting} onClose={() => setDeleting(undefined)} />}
    </div>
  );
};

export default MockListPage;
