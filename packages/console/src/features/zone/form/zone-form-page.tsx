import { type ZoneDetails, zoneCalls } from '@device-center/contract';
import { useTranslation } from 'react-i18next';
import { useCall } from '../../../api/use-call.ts';
import { Loaded } from '../../../ui/detail-page.tsx';
import '../../../ui/styles/reading.css';
import { Link, usePageSearch } from '../../../ui/routing.ts';
import '../zone.css';
import { zoneFormSearch } from '../zone-search.ts';
import { CreateZone, EditZone } from './zone-form.tsx';
import './zone-form.css';
import { zoneListPath } from '../../../paths.ts';

/** With `id` in the URL: edits that zone; otherwise creates one. */
const ZoneFormPage = () => {
  const { t } = useTranslation('common');
  const { id } = usePageSearch(zoneFormSearch);
  const query = useCall(zoneCalls.getZoneDetail, { id: id ?? 0 }, { enabled: id !== undefined });
  if (id === undefined) return <CreateZone />;
  return (
    <Loaded<ZoneDetails> query={query} action={<Link to={zoneListPath}>{t('back')}</Link>}>
      {(zone) => <EditZone key={zone.id} zone={zone} />}
    </Loaded>
  );
};

export default ZoneFormPage;
