import { errorText, type TaskPreview } from '@device-center/contract';
import { Pagination } from 'antd';
import { useTranslation } from 'react-i18next';
import { currentLanguage } from '../../../i18n/language.ts';
import { countText } from '../../../i18n/numbers.ts';
import { taskPath } from '../../../paths.ts';
import type { Fact } from '../../../ui/fact-list.tsx';
import { Link } from '../../../ui/routing.ts';
import { ErrorCard, KeyValue } from '../../../ui/states.tsx';
import { StatusDot } from '../../../ui/status-dot.tsx';
import { PREVIEW_PAGE, type usePreview } from './use-preview.ts';

/** Tasks of the same or a higher rank that have reserved some of the devices: the hub rejects the new task. */
const Blocked = ({ preview: { held, heldBy } }: { preview: TaskPreview }) => {
  const { t } = useTranslation('otaForm');
  if (held === 0) return null;
  return (
    <div className="dc-preview-blocked" role="alert">
      <strong>{errorText('TASK_IN_PROGRESS', currentLanguage())}</strong>
      <p>{t('blockedText', { count: held })}</p>
      <ul>
        {heldBy.map(({ taskId, taskName, taskRank, devices }) => (
          <li key={taskId}>
            <Link to={taskPath(taskId)} target="_blank">
              {taskName}
            </Link>{' '}
            <span className="dc-muted">{t('blockedBy', { rank: taskRank, count: devices })}</span>
          </li>
        ))}
      </ul>
    </div>
  );
};

const Devices = ({ preview, onTurn }: { preview: TaskPreview; onTurn: (page: number) => void }) => {
  const { t } = useTranslation(['otaForm', 'ota']);
  const { list, pageIndex, total } = preview.devices;
  if (total === 0) return null;
  return (
    <section className="dc-preview-devices" aria-label={t('otaForm:exactly')}>
      <h3>{t('otaForm:exactly')}</h3>
      <ul>
        {list.map(({ deviceId, deviceName, versionNumber, online }) => (
          <li key={deviceId}>
            <StatusDot tone={online === 1 ? 'online' : 'offline'}>
              <span className="dc-visually-hidden">{t(`ota:online_${online}`)}</span>
            </StatusDot>
            <span title={deviceId}>{deviceName}</span>
            <code className="dc-mono">{versionNumber || '—'}</code>
          </li>
        ))}
      </ul>
      {total > PREVIEW_PAGE && (
        <Pagination
          simple
          size="small"
          current={pageIndex}
          pageSize={PREVIEW_PAGE}
          total={total}
          showSizeChanger={false}
          onChange={onTurn}
        />
      )}
    </section>
  );
};

/** Number of devices to upgrade: without those on the target version or, unless `allowOlder`, on a newer one. */
export const upgradeCount = ({ total, already, newer }: TaskPreview, allowOlder: boolean): number =>
  total - already - (allowOlder ? 0 : newer);

type PreviewPanelProps = { previewQuery: ReturnType<typeof usePreview>; allowOlder: boolean };

/** The current target devices of the task, as computed by the hub. */
export const PreviewPanel = ({ previewQuery, allowOlder }: PreviewPanelProps) => {
  const { t } = useTranslation('otaForm');
  const { isIncomplete, preview, error, refetch, waiting, turn } = previewQuery;
  if (isIncomplete) return <p>{t('previewIncomplete')}</p>;
  if (error && !preview) return <ErrorCard error={error} onRetry={() => void refetch()} />;
  if (!preview) return <p role="status">{t('previewSearching')}</p>;
  const upgrades = upgradeCount(preview, allowOlder);
  const facts: Fact[] = [
    { label: t('previewTotal'), value: countText(preview.total) },
    { label: t('previewOnline'), value: countText(preview.online) },
    { label: t('previewAlready'), value: countText(preview.already) },
    {
      label: t('previewNewer'),
      value: preview.newer === 0 || allowOlder ? countText(preview.newer) : t('newerReject', { count: preview.newer }),
    },
    { label: t('previewTakenOver'), value: countText(preview.takenOver) },
  ];
  return (
    <div className="dc-preview" aria-busy={waiting}>
      <p className="dc-preview-total" role="status">
        {t('willUpgradeBefore')}
        <strong>{countText(upgrades)}</strong>
        {t('willUpgradeAfter', { count: upgrades })}
      </p>
      {preview.total === 0 && <p className="dc-told-failed">{errorText('NO_TARGET_DEVICES', currentLanguage())}</p>}
      {preview.total > 0 && upgrades === 0 && <p className="dc-told-failed">{t('nothingToUpgrade')}</p>}
      <Blocked preview={preview} />
      <KeyValue items={facts} />
      {preview.byVersion.length > 1 && (
        <p className="dc-preview-versions">
          {preview.byVersion.map(({ versionNumber, devices }) => (
            <span key={versionNumber} className="dc-tag">
              {t('versionWithDevices', { version: versionNumber || t('noVersion'), count: devices })}
            </span>
          ))}
        </p>
      )}
      <Devices preview={preview} onTurn={turn} />
    </div>
  );
};
