import { type Output, type SyncPreviewRow, type SyncResult, syncCalls, syncResults } from '@device-center/contract';
import { Pagination, Skeleton } from 'antd';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useCall } from '../../../api/use-call.ts';
import { CopyId } from '../../../ui/copy-id.tsx';
import { ErrorCard } from '../../../ui/states.tsx';
import { ChangeTag, differencesIn, EffectList } from './effect-list.tsx';
import type { SendRequest } from './send-dialog.tsx';

const PAGE = 10;
/** Limit of ids in the URL of a request. */
const IDS_MAX = 200;

const Row = ({ row }: { row: SyncPreviewRow }) => {
  const { t } = useTranslation('sync');
  const differences = differencesIn(row);
  return (
    <li>
      <p className="dc-preview-item">
        <strong>{row.itemName || row.deviceId || row.productId}</strong>
        <CopyId value={row.deviceId || row.productId} label={row.itemName} />
        <ChangeTag change={row.change} />
      </p>
      {row.reason !== '' && <p className="dc-preview-reason">{row.reason}</p>}
      {differences > 0 && (
        <details>
          <summary>{t('differences', { count: differences })}</summary>
          <EffectList effect={row} />
        </details>
      )}
    </li>
  );
};

type SyncPreview = Output<typeof syncCalls.previewSync>;
type CountsProps = {
  preview: SyncPreview;
  chosen: SyncResult | undefined;
  onChoose: (change: SyncResult | undefined) => void;
};

/** Number of records by outcome; a click filters the list. */
const Counts = ({ preview: { counts, looked }, chosen, onChoose }: CountsProps) => {
  const { t } = useTranslation('sync');
  return (
    <fieldset className="dc-sync-legend" aria-label={t('previewFilter')}>
      <button type="button" aria-pressed={chosen === undefined} onClick={() => onChoose(undefined)}>
        {t('previewAll', { count: looked })}
      </button>
      {syncResults
        // "Older" is rare and shown only if it occurs; the other outcomes are always shown.
        .filter((change) => change !== 'older' || counts.older > 0)
        .map((change) => (
          <button
            key={change}
            type="button"
            aria-pressed={chosen === change}
            disabled={counts[change] === 0}
            onClick={() => onChoose(change)}
          >
            {t(`change_${change}`)}
            <b>{counts[change]}</b>
          </button>
        ))}
    </fieldset>
  );
};

type PreviewProps = { ask: SendRequest; paused: boolean };

/** Dry run: asks the other platform for the effect without changing anything. */
export const Preview = ({ ask: { zone, dataType, records }, paused }: PreviewProps) => {
  const { t } = useTranslation('sync');
  const [pageIndex, setPageIndex] = useState(1);
  const [change, setChange] = useState<SyncResult>();
  const syncIds = records?.slice(0, IDS_MAX).map(({ syncId }) => syncId);
  const query = useCall(
    syncCalls.previewSync,
    {
      zoneId: zone.zoneId,
      dataType,
      pageIndex,
      pageSize: PAGE,
      ...(syncIds ? { syncIds } : {}),
      ...(change ? { change } : {}),
    },
    { keepPrevious: true, enabled: !paused },
  );
  const preview = query.data;
  if (query.error && !preview)
    return (
      <div className="dc-preview">
        <ErrorCard error={query.error} onRetry={() => void query.refetch()} />
        <p className="dc-muted">{t('previewFailed')}</p>
      </div>
    );
  if (!preview)
    return (
      <div className="dc-preview" aria-busy="true">
        <p role="status">{t('previewAsking')}</p>
        <Skeleton active title={false} paragraph={{ rows: 4 }} />
      </div>
    );
  const all = records ? records.length : preview.records;
  if (preview.looked === 0) return <p>{t('previewNothing')}</p>;
  return (
    <div className="dc-preview" aria-busy={query.isPlaceholderData}>
      <p>{t('previewOutcome')}</p>
      <Counts
        preview={preview}
        chosen={change}
        onChoose={(next) => {
          setChange(next);
          setPageIndex(1);
        }}
      />
      {preview.looked < all && (
        <p className="dc-muted">{t('previewChecked', { looked: preview.looked, records: all })}</p>
      )}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scroll container must be focusable by keyboard. */}
      <section className="dc-preview-list" tabIndex={0} aria-label={t('previewList')}>
        <ul>
          {preview.list.map((row) => (
            <Row key={row.syncId} row={row} />
          ))}
        </ul>
      </section>
      {preview.total > PAGE && (
        <Pagination
          size="small"
          simple
          current={preview.pageIndex}
          pageSize={PAGE}
          total={preview.total}
          onChange={(next) => setPageIndex(next)}
        />
      )}
    </div>
  );
};
