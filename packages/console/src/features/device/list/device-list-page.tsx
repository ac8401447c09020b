import { type DeviceRow, deviceCalls } from '@device-center/contract';
import { FileUp, Plus } from 'lucide-react';
import { Suspense, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useCan } from '../../../api/session.ts';
import { useCall } from '../../../api/use-call.ts';
import { Button } from '../../../ui/button.tsx';
import { DataTable } from '../../../ui/data-table.tsx';
import { lazyPart } from '../../../ui/lazy-part.tsx';
import { useListSearch } from '../../../ui/list-search.ts';
import { LiveDot } from '../../../ui/live-dot.tsx';
import { PageHeader } from '../../../ui/page-header.tsx';
import { Link, useNavigate } from '../../../ui/routing.ts';
import { BulkActions } from './bulk-actions.tsx';
import './device-list.css';
import { refusedListPath, registerPath } from '../../../paths.ts';
import { useDeviceColumns } from './device-columns.tsx';
import { DeviceFilters } from './device-filters.tsx';
import { deviceListSearch } from './device-search.ts';
import { ExportDevices } from './export-devices.tsx';
import { GatewayCrumb } from './gateway-crumb.tsx';
import { JobView } from './job-view.tsx';
import { useLivePresence } from './live-presence.ts';
import { NoDevices } from './no-devices.tsx';
import type { PendingAction } from './pending-action.ts';
import { RowActions } from './row-actions.tsx';

const DeviceDialogs = lazyPart(() => import('./device-dialogs.tsx'));

const RegisterButton = ({ productId, applicationId }: { productId?: string; applicationId?: string }) => {
  const { t } = useTranslation('shell');
  const navigate = useNavigate();
  return (
    <Button
      type="primary"
      icon={<Plus size={16} aria-hidden />}
      onClick={() => void navigate({ to: registerPath, search: { productId, applicationId } })}
    >
      {t('registerTitle')}
    </Button>
  );
};

const ImportButton = ({ productId, applicationId }: { productId?: string; applicationId?: string }) => {
  const { t } = useTranslation('device');
  const navigate = useNavigate();
  return (
    <Button
      icon={<FileUp size={16} aria-hidden />}
      onClick={() => void navigate({ to: registerPath, search: { from: 'file', productId, applicationId } })}
    >
      {t('importCsv')}
    </Button>
  );
};

const DeviceListPage = () => {
  const { t } = useTranslation(['device', 'shell']);
  const mayWrite = useCan('device:write');
  const list = useListSearch(deviceListSearch);
  const { search } = list;
  const query = useCall(deviceCalls.queryDeviceList, search, { keepPrevious: true });
  const live = useLivePresence();
  const columns = useDeviceColumns();
  const [action, setAction] = useState<PendingAction>();
  const register = mayWrite && (
    <>
      <ImportButton {...search} />
      <RegisterButton {...search} />
    </>
  );

  return (
    <div className="dc-device-list">
      <PageHeader
        title={t('shell:deviceListTitle')}
        subtitle={
          <>
            {query.data ? t('count', { total: query.data.total }) : ' '}
            <LiveDot state={live} />
            <Link to={refusedListPath}>{t('shell:rejectedListTitle')}</Link>
          </>
        }
        actions={
          <>
            <ExportDevices search={search} />
            {register}
          </>
        }
      />
      {search.parentId !== undefined && <GatewayCrumb gatewayId={search.parentId} />}
      <DataTable<DeviceRow>
        id="device"
        rowKey="deviceId"
        rowName={({ deviceName }) => deviceName}
        columns={columns}
        actions={(device) => <RowActions device={device} onAction={setAction} />}
        query={query}
        list={list}
        filters={<DeviceFilters list={list} />}
        empty={<NoDevices register={register} />}
        {...(mayWrite
          ? {
              bulk: (devices: DeviceRow[], done: () => void) => (
                <BulkActions devices={devices} onAction={setAction} done={done} />
              ),
            }
          : {})}
      />
      {action && (
        <Suspense fallback={null}>
          <DeviceDialogs action={action} onClose={() => setAction(undefined)} />
        </Suspense>
      )}
      <JobView />
    </div>
  );
};

export default DeviceListPage;
