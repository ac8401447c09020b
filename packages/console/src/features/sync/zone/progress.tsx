import type { SyncCountRow } from '@device-center/contract';
import { useTranslation } from 'react-i18next';
import { OneKeyButton } from '../one-key-button.tsx';
import { ResendButton } from '../resend-button.tsx';
import type { SendRequest } from '../send/send-dialog.tsx';
import { countOf, SyncBar, syncStatusIds } from '../sync-badges.tsx';
import { countsOf } from '../sync-zone.ts';
import type { RecordList } from './records-table.tsx';

type ProgressProps = { zone: SyncCountRow; list: RecordList; onAsk: (ask: SendRequest) => void };

/** Sync progress. A count filters the table below. */
export const Progress = ({ zone, list: { search, filter }, onAsk }: ProgressProps) => {
  const { t } = useTranslation('sync');
  const { dataType, syncStatus: chosen } = search;
  const counts = countsOf(zone, dataType);
  const { success, total } = counts;
  return (
    <section className="dc-card dc-sync-progress" aria-label={t('progress')}>
      <header>
        <strong>{total === 0 ? 0 : Math.floor((success * 100) / total)}%</strong>
        <span className="dc-muted">{t('progressDone', { success, total })}</span>
        <div className="dc-sync-actions">
          <ResendButton zone={zone} dataType={dataType} />
          <OneKeyButton zone={zone} dataType={dataType} onAsk={onAsk} primary />
        </div>
      </header>
      <SyncBar counts={counts} />
      <fieldset className="dc-sync-legend" aria-label={t('byStatus')}>
        {syncStatusIds.map((status) => (
          <button
            key={status}
            type="button"
            aria-pressed={chosen === status}
            disabled={countOf(counts, status) === 0 && chosen !== status}
            onClick={() => filter({ syncStatus: chosen === status ? undefined : status })}
          >
            <i data-sync={status} aria-hidden="true" />
            {t(`status_${status}`)}
            <b>{countOf(counts, status)}</b>
          </button>
        ))}
      </fieldset>
    </section>
  );
};
