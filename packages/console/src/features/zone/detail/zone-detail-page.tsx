import { ZONE_ID_MAX, type ZoneDetails, zoneCalls } from '@device-center/contract';
import { useTranslation } from 'react-i18next';
import { z } from 'zod';
import { useCall } from '../../../api/use-call.ts';
import { Loaded } from '../../../ui/detail-page.tsx';
import { useRouteParams } from '../../../ui/list-search.ts';
import '../../../ui/styles/reading.css';
import { Link } from '../../../ui/routing.ts';
import '../zone.css';
import './zone-detail.css';
import { zoneListPath } from '../../../paths.ts';
import { ZoneView } from './zone-view.tsx';

/** An invalid id becomes the highest one, which no zone has, so that the hub responds "does not exist". */
const params = z.object({ id: z.coerce.number<number>().int().min(1).max(ZONE_ID_MAX).catch(ZONE_ID_MAX) });

const REFRESH_MS = 5_000;

const ZoneDetailPage = () => {
  const { t } = useTranslation('common');
  const { id } = useRouteParams(params);
  const query = useCall(zoneCalls.getZoneDetail, { id }, { refreshEvery: REFRESH_MS });
  return (
    <Loaded<ZoneDetails> query={query} action={<Link to={zoneListPath}>{t('back')}</Link>}>
      {(zone) => <ZoneView key={zone.id} zone={zone} />}
    </Loaded>
  );
};

export default ZoneDetailPage;
