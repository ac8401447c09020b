import { type SyncCounts, type SyncRecordRow, SyncStatus } from '@device-center/contract';
import { useTranslation } from 'react-i18next';
import { StatusDot, type Tone } from '../../ui/status-dot.tsx';
import './sync.css';

export type DataType = 1 | 2;
export const dataTypes: readonly DataType[] = [1, 2];

export const syncStatusIds = [0, 1, 2, 3] as const;
export type SyncStatusId = (typeof syncStatusIds)[number];

const tones: Record<SyncStatusId, Tone> = { 0: 'offline', 1: 'running', 2: 'online', 3: 'failed' };

export const SyncState = ({ status }: { status: SyncStatusId }) => {
  const { t } = useTranslation('sync');
  return <StatusDot tone={tones[status]}>{t(`status_${status}`)}</StatusDot>;
};

/** Tag of a record that was received from another platform, which manages it. */
export const OriginBadge = ({ record: { origin } }: { record: Pick<SyncRecordRow, 'origin'> }) => {
  const { t } = useTranslation('sync');
  if (origin === '') return null;
  return (
    <span className="dc-tag" title={t('fromElsewhereText', { origin })}>
      {t('fromElsewhere')}
    </span>
  );
};

export const countOf = (counts: SyncCounts, status: SyncStatusId): number =>
  ({ 0: counts.waiting, 1: counts.sending, 2: counts.success, 3: counts.fail })[status];

/** Order of the states in the bar, from synchronised to waiting. */
const barOrder = [SyncStatus.success, SyncStatus.synchronizing, SyncStatus.failed, SyncStatus.notSynchronized] as const;

/** Bar with one segment per state, sized by its number of records. */
export const SyncBar = ({ counts }: { counts: SyncCounts }) => {
  const { t } = useTranslation(['sync', 'common']);
  const pieces = barOrder.filter((status) => countOf(counts, status) > 0);
  const words = pieces.map((status) => `${t(`sync:status_${status}`)} ${countOf(counts, status)}`);
  return (
    <div className="dc-sync-bar" role="img" aria-label={words.join(t('common:listSeparator')) || t('sync:noRecords')}>
      {pieces.map((status) => (
        <i key={status} data-sync={status} style={{ flexGrow: countOf(counts, status) }} />
      ))}
    </div>
  );
};
