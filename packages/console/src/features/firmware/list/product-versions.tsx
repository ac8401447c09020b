import { firmwareCalls, type VersionRow } from '@device-center/contract';
import { PackagePlus, Upload } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useCan } from '../../../api/session.ts';
import { useCall } from '../../../api/use-call.ts';
import { Button } from '../../../ui/button.tsx';
import { DataTable } from '../../../ui/data-table.tsx';
import type { ListSearch, ListState } from '../../../ui/list-search.ts';
import { useNavigate } from '../../../ui/routing.ts';
import { EmptyState } from '../../../ui/states.tsx';
import { useProductVersionColumns } from './version-columns.tsx';
import './version-list.css';
import { versionPath } from '../../../paths.ts';

/** The versions of one product, on the product's page. */
const ProductVersions = ({ id: productId }: { id: string }) => {
  const { t } = useTranslation('firmware');
  const navigate = useNavigate();
  const mayWrite = useCan('firmware:write');
  const [search, setSearch] = useState<ListSearch<number>>({ pageIndex: 1, pageSize: 10 });
  const { pageIndex, pageSize } = search;
  const query = useCall(
    firmwareCalls.queryDeviceOtaVersionList,
    { productId, pageIndex, pageSize },
    { keepPrevious: true },
  );
  const list: ListState = {
    search,
    turn: (change) => void setSearch({ ...search, ...change }),
    clear: () => undefined,
    filtered: false,
  };
  const upload = mayWrite && (
    // Not primary: the page already has a primary action.
    <Button
      icon={<Upload size={16} aria-hidden />}
      onClick={() => void navigate({ to: versionPath('0', 0), search: { productId } })}
    >
      {t('uploadVersion')}
    </Button>
  );
  return (
    <>
      <div className="dc-version-tools">
        <p>{t('tabText')}</p>
        {upload}
      </div>
      <DataTable<VersionRow>
        id="productFirmware"
        rowKey="versionId"
        rowName={({ versionName, versionNumber }) => `${versionName} ${versionNumber}`}
        columns={useProductVersionColumns()}
        query={query}
        list={list}
        empty={
          <EmptyState
            icon={<PackagePlus size={22} />}
            title={t('tabEmptyTitle')}
            text={t(mayWrite ? 'tabEmptyText' : 'tabEmptyAsk')}
          />
        }
      />
    </>
  );
};

export default ProductVersions;
