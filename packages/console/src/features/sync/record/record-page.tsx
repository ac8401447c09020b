import { type SyncRecordDetails, SyncStatus, syncCalls } from '@device-center/contract';
import { useTranslation } from 'react-i18next';
import { useCall } from '../../../api/use-call.ts';
import { Loaded } from '../../../ui/detail-page.tsx';
import '../../../ui/styles/reading.css';
import { Link, usePageSearch } from '../../../ui/routing.ts';
import '../sync.css';
import { recordSearch } from '../sync-search.ts';
import { refreshInterval } from '../sync-zone.ts';
import './record.css';
import { syncListPath } from '../../../paths.ts';
import { RecordView } from './record-view.tsx';

const RecordPage = () => {
  const { t } = useTranslation('common');
  const { syncId = '' } = usePageSearch(recordSearch);
  const query = useCall(
    syncCalls.getSyncRecord,
    { syncId },
    { refreshEvery: (last) => refreshInterval(last?.syncStatus === SyncStatus.synchronizing) },
  );
  return (
    <Loaded<SyncRecordDetails> query={query} action={<Link to={syncListPath}>{t('back')}</Link>}>
      {(record) => <RecordView key={record.syncId} record={record} />}
    </Loaded>
  );
};

export default RecordPage;
