import { firmwareCalls, type VersionRow } from '@device-center/contract';
import { PackagePlus, Plus } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useCall } from '../../../api/use-call.ts';
import { Button } from '../../../ui/button.tsx';
import { DataTable } from '../../../ui/data-table.tsx';
import { useListSearch } from '../../../ui/list-search.ts';
import { PageHeader } from '../../../ui/page-header.tsx';
import { useNavigate } from '../../../ui/routing.ts';
import { EmptyState } from '../../../ui/states.tsx';
import { versionListSearch } from '../firmware-search.ts';
import { DeleteVersions } from './delete-versions.tsx';
import { VersionActions } from './version-actions.tsx';
import { useVersionColumns } from './version-columns.tsx';
import { VersionFilters } from './version-filters.tsx';
import './version-list.css';
import { versionPath } from '../../../paths.ts';

const VersionListPage = () => {
  const { t } = useTranslation(['firmware', 'common', 'shell']);
  const navigate = useNavigate();
  const list = useListSearch(versionListSearch);
  const { productId } = list.search;
  const query = useCall(firmwareCalls.queryDeviceOtaVersionList, list.search, { keepPrevious: true });
  const [deleting, setDeleting] = useState<{ versions: VersionRow[]; done: () => void }>();

  const create = (
    <Button
      type="primary"
      icon={<Plus size={16} aria-hidden />}
      onClick={() => void navigate({ to: versionPath('0', 0), search: { productId } })}
    >
      {t('shell:addVersionTitle')}
    </Button>
  );

  return (
    <>
      <PageHeader
        title={t('shell:versionListTitle')}
        subtitle={query.data ? t('firmware:count', { total: query.data.total }) : ' '}
        actions={create}
      />
      <DataTable<VersionRow>
        id="firmwareVersion"
        rowKey="versionId"
        rowName={({ versionName, versionNumber }) => `${versionName} ${versionNumber}`}
        columns={useVersionColumns()}
        actions={(version) => (
          <VersionActions
            version={version}
            onDelete={() => setDeleting({ versions: [version], done: () => undefined })}
          />
        )}
        query={query}
        list={list}
        bulk={(versions, done) => (
          <Button danger size="small" onClick={() => setDeleting({ versions, done })}>
            {t('common:delete')}
          </Button>
        )}
        filters={<VersionFilters list={list} />}
        empty={
          <EmptyState
            icon={<PackagePlus size={22} />}
            title={t('firmware:emptyTitle')}
            text={t('firmware:emptyText')}
            action={create}
          />
        }
      />
      {deleting && (
        <DeleteVersions
          versions={deleting.versions}
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

export default VersionListPage;
