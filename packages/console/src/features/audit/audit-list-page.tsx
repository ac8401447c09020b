import { type AuditRow, auditCalls } from '@device-center/contract';
import { ScrollText } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useCall } from '../../api/use-call.ts';
import { countText } from '../../i18n/numbers.ts';
import { DataTable } from '../../ui/data-table.tsx';
import { timesOf } from '../../ui/day-range.ts';
import { PageHeader } from '../../ui/page-header.tsx';
import { EmptyState } from '../../ui/states.tsx';
import '../../ui/styles/reading.css';
import './audit.css';
import { useAuditColumns } from './audit-columns.tsx';
import { AuditDrawer } from './audit-drawer.tsx';
import { AuditFilters } from './audit-filters.tsx';
import { useAuditList } from './audit-search.ts';
import { CappedNote, isCapped } from './capped-note.tsx';
import { useTenants } from './use-tenants.ts';

const AuditListPage = () => {
  const { t } = useTranslation('audit');
  const list = useAuditList();
  const { from, to, sortField: _onlyTime, ...rest } = list.search;
  const query = useCall(auditCalls.queryAuditLogList, { ...rest, ...timesOf({ from, to }) }, { keepPrevious: true });
  const tenants = useTenants();
  const [opened, setOpened] = useState<AuditRow>();
  const columns = useAuditColumns(tenants.nameOf, setOpened);
  const total = query.data?.total ?? 0;
  const shownTotal = countText(total);

  return (
    <div className="dc-audit-page">
      <PageHeader
        title={t('listTitle')}
        subtitle={query.data ? t(isCapped(total) ? 'cappedCount' : 'count', { total: shownTotal }) : ' '}
      />
      <CappedNote total={total} />
      <DataTable<AuditRow>
        id="audit"
        rowKey="auditId"
        rowName={({ action }) => action}
        columns={columns}
        query={query}
        list={list}
        onOpen={setOpened}
        filters={<AuditFilters list={list} byTenant={tenants.mayList} />}
        empty={<EmptyState icon={<ScrollText size={22} />} title={t('emptyTitle')} text={t('emptyText')} />}
      />
      <AuditDrawer
        entry={opened}
        tenant={opened && tenants.nameOf?.(opened.tenancyId)}
        onClose={() => setOpened(undefined)}
      />
    </div>
  );
};

export default AuditListPage;
