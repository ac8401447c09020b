import { type ApplicationRow, applicationCalls } from '@device-center/contract';
import { LayoutGrid, Plus } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useCan } from '../../api/session.ts';
import { useCall } from '../../api/use-call.ts';
import { applicationPath } from '../../paths.ts';
import { Button } from '../../ui/button.tsx';
import { DataTable } from '../../ui/data-table.tsx';
import { useListSearch } from '../../ui/list-search.ts';
import { PageHeader } from '../../ui/page-header.tsx';
import { Link, useNavigate } from '../../ui/routing.ts';
import { RowMenu, type RowMenuItem } from '../../ui/row-menu.tsx';
import { EmptyState } from '../../ui/states.tsx';
import { useApplicationColumns } from './application-columns.tsx';
import { ApplicationFilters } from './application-filters.tsx';
import { applicationListSearch } from './application-search.ts';
import { DeleteApplications } from './delete-applications.tsx';

const ApplicationListPage = () => {
  const { t } = useTranslation(['application', 'common']);
  const navigate = useNavigate();
  const mayWrite = useCan('application:write');
  const list = useListSearch(applicationListSearch);
  const query = useCall(applicationCalls.queryApplicationList, list.search, { keepPrevious: true });
  const columns = useApplicationColumns();
  const [deleting, setDeleting] = useState<{ applications: ApplicationRow[]; done: () => void }>();

  const create = mayWrite && (
    <Button
      type="primary"
      icon={<Plus size={16} aria-hidden />}
      onClick={() => void navigate({ to: applicationPath('0', 0), search: { tenancyId: list.search.tenancyId } })}
    >
      {t('application:addTitle')}
    </Button>
  );

  const rowActions = (application: ApplicationRow) => {
    const { applicationId, applicationName, enabled } = application;
    // A disabled application is read-only until it is enabled again.
    const editable = mayWrite && enabled === 1;
    const view: RowMenuItem = {
      key: 'view',
      label: t('common:view'),
      onClick: () => void navigate({ to: applicationPath(applicationId, 2) }),
    };
    const remove: RowMenuItem = {
      key: 'delete',
      label: t('common:delete'),
      danger: true,
      onClick: () => setDeleting({ applications: [application], done: () => undefined }),
    };
    return (
      <>
        <Link to={applicationPath(applicationId, editable ? 1 : 2)}>{t(editable ? 'common:edit' : 'common:view')}</Link>
        {mayWrite && <RowMenu name={applicationName} items={editable ? [view, remove] : [remove]} />}
      </>
    );
  };

  return (
    <>
      <PageHeader
        title={t('application:listTitle')}
        subtitle={query.data ? t('application:count', { total: query.data.total }) : ' '}
        actions={create}
      />
      <DataTable<ApplicationRow>
        id="application"
        rowKey="applicationId"
        rowName={({ applicationName }) => applicationName}
        columns={columns}
        actions={rowActions}
        query={query}
        list={list}
        {...(mayWrite
          ? {
              bulk: (applications: ApplicationRow[], done: () => void) => (
                <Button danger size="small" onClick={() => setDeleting({ applications, done })}>
                  {t('common:delete')}
                </Button>
              ),
            }
          : {})}
        filters={<ApplicationFilters list={list} />}
        empty={
          <EmptyState
            icon={<LayoutGrid size={22} />}
            title={t('application:emptyTitle')}
            text={t('application:emptyText')}
            action={create}
          />
        }
      />
      {deleting && (
        <DeleteApplications
          applications={deleting.applications}
          onClose={() => setDeleting(undefined)}
          onDeleted={() => {
            deleting.done();
            setDeleting(undefined);
          }}
        />
      )}
    </>
  );
};

export default ApplicationListPage;
