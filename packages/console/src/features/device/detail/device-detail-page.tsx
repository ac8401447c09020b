import { type DeviceDetails, deviceCalls } from '@device-center/contract';
import { useTranslation } from 'react-i18next';
import { z } from 'zod';
import { useCan } from '../../../api/session.ts';
import { useCall } from '../../../api/use-call.ts';
import { Loaded } from '../../../ui/detail-page.tsx';
import { useListSearch, useRouteParams } from '../../../ui/list-search.ts';
import type { PageProps } from '../../../ui/page-entry.ts';
import { deviceDetailSearch } from './device-detail-search.ts';
import { DeviceLiveProvider } from './device-live.tsx';
import { DeviceView } from './device-view.tsx';
import '../../../ui/styles/reading.css';
import { Link } from '../../../ui/routing.ts';
import './device-detail.css';
import './device-tabs.css';
import { deviceListPath } from '../../../paths.ts';

const params = z.object({ deviceId: z.string() });

const DeviceDetailPage = ({ tabs }: PageProps) => {
  const { t } = useTranslation('common');
  const { deviceId } = useRouteParams(params);
  const list = useListSearch(deviceDetailSearch);
  const mayRead = useCan('device:read');
  const query = useCall(deviceCalls.getDeviceDetails, { deviceId });
  const readerKinds =
    list.search.tab === 'messages' ? (['presence', 'value', 'message'] as const) : (['presence', 'value'] as const);
  return (
    <Loaded<DeviceDetails> query={query} action={<Link to={deviceListPath}>{t('back')}</Link>}>
      {(device) => (
        <DeviceLiveProvider deviceId={deviceId} kinds={mayRead ? readerKinds : ['presence']} refetch={query.refetch}>
          <DeviceView key={device.deviceId} device={device} refetch={query.refetch} list={list} extraTabs={tabs} />
        </DeviceLiveProvider>
      )}
    </Loaded>
  );
};

export default DeviceDetailPage;
