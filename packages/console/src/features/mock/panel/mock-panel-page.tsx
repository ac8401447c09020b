import { type MockDetails, mockCalls } from '@device-center/contract';
import { useTranslation } from 'react-i18next';
import { z } from 'zod';
import type { ApiError } from '../../../api/api-error.ts';
import { useCall } from '../../../api/use-call.ts';
import { Loaded } from '../../../ui/detail-page.tsx';
import { useRouteParams } from '../../../ui/list-search.ts';
import { ErrorCard } from '../../../ui/states.tsx';
import { PanelView } from './panel-view.tsx';
import '../../../ui/styles/reading.css';
import { Link } from '../../../ui/routing.ts';
import './panel.css';
import { mockListPath } from '../../../paths.ts';

const params = z.object({ deviceId: z.string() });

/** Poll, because the hub or another page may start or stop running the device. */
const REFRESH_MS = 10_000;
const FORBIDDEN = 403;
const NOT_FOUND = 404;

/** The device was deleted or is no longer accessible: its cached data, above all its secret, must not be shown. */
const isGone = (error: ApiError | null): error is ApiError =>
  error !== null && (error.status === NOT_FOUND || error.status === FORBIDDEN);

const MockPanelPage = () => {
  const { t } = useTranslation('common');
  const { deviceId } = useRouteParams(params);
  const query = useCall(mockCalls.getMockDeviceDetails, { deviceId }, { refreshEvery: REFRESH_MS });
  const back = <Link to={mockListPath}>{t('back')}</Link>;
  if (isGone(query.error)) return <ErrorCard error={query.error} action={back} />;
  return (
    <Loaded<MockDetails> query={query} action={back}>
      {(details) => <PanelView key={details.deviceId} details={details} refetch={query.refetch} />}
    </Loaded>
  );
};

export default MockPanelPage;
