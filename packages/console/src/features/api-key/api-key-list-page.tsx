import { type ApiKeyRow, apiKeyCalls, apiKeyScopes } from '@device-center/contract';
import { KeyRound, Plus } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useCan } from '../../api/session.ts';
import { useCall } from '../../api/use-call.ts';
import { TenantFilter } from '../../filters/tenant-filter.tsx';
import { Button } from '../../ui/button.tsx';
import { DataTable } from '../../ui/data-table.tsx';
import { FilterBar, SegmentedFilter } from '../../ui/filter-bar.tsx';
import { useListSearch } from '../../ui/list-search.ts';
import { PageHeader } from '../../ui/page-header.tsx';
import { EmptyState } from '../../ui/states.tsx';
import '../../ui/styles/reading.css';
import './api-key.css';
import { useApiKeyColumns } from './api-key-columns.tsx';
import { type ApiKeyListSearch, apiKeyListSearch } from './api-key-search.ts';
import { CreateKeyDialog } from './create-key-dialog.tsx';
import { type CreatedKey, CreatedKeyDialog } from './created-key-dialog.tsx';
import { RevokeKey } from './revoke-key.tsx';

const ApiKeyFilters = ({ list }: { list: ReturnType<typeof useListSearch<ApiKeyListSearch>> }) => {
  const { t } = useTranslation('apiKey');
  const { search, filter, filtered, clear } = list;
  return (
    <FilterBar
      filtered={filtered}
      onClear={clear}
      search={{ label: t('searchLabel'), value: search.keyName, onChange: (keyName) => filter({ keyName }) }}
    >
      <SegmentedFilter
        label={t('scope')}
        options={apiKeyScopes.map((scope) => ({ value: scope, label: t(`scope_${scope}`) }))}
        value={search.scope}
        onChange={(scope) => filter({ scope })}
      />
      <TenantFilter label={t('tenant')} value={search.tenancyId} onChange={(tenancyId) => filter({ tenancyId })} />
    </FilterBar>
  );
};

const ApiKeyListPage = () => {
  const { t } = useTranslation(['apiKey', 'shell', 'common']);
  const mayWrite = useCan('apiKey:write');
  const list = useListSearch(apiKeyListSearch);
  const query = useCall(apiKeyCalls.queryApiKeyList, list.search, { keepPrevious: true });
  const columns = useApiKeyColumns();
  const [creating, setCreating] = useState(false);
  const [createdKey, setCreatedKey] = useState<CreatedKey>();
  const [revoking, setRevoking] = useState<ApiKeyRow>();

  const create = mayWrite && (
    <Button type="primary" icon={<Plus size={16} aria-hidden />} onClick={() => setCreating(true)}>
      {t('apiKey:addTitle')}
    </Button>
  );
  return (
    <>
      <PageHeader
        title={t('shell:apiKeyListTitle')}
        subtitle={query.data ? t('apiKey:count', { total: query.data.total }) : ' '}
        actions={create}
      />
      <DataTable<ApiKeyRow>
        id="apiKey"
        rowKey="keyId"
        rowName={({ keyName }) => keyName}
        columns={columns}
        {...(mayWrite
          ? {
              actions: (row: ApiKeyRow) => (
                <Button
                  type="link"
                  size="small"
                  danger
                  aria-label={`${t('apiKey:revoke')}: ${row.keyName}`}
                  onClick={() => setRevoking(row)}
                >
                  {t('apiKey:revoke')}
                </Button>
              ),
            }
          : {})}
        query={query}
        list={list}
        filters={<ApiKeyFilters list={list} />}
        empty={
          <EmptyState
            icon={<KeyRound size={22} />}
            title={t('apiKey:emptyTitle')}
            text={t('apiKey:emptyText')}
            action={create}
          />
        }
      />
      {creating && (
        <CreateKeyDialog
          tenancyId={list.search.tenancyId}
          onClose={() => setCreating(false)}
          onCreated={(key) => {
            setCreating(false);
            setCreatedKey(key);
          }}
        />
      )}
      {createdKey && <CreatedKeyDialog createdKey={createdKey} onStored={() => setCreatedKey(undefined)} />}
      {revoking && <RevokeKey apiKey={revoking} onClose={() => setRevoking(undefined)} />}
    </>
  );
};

export default ApiKeyListPage;
