import { FailReason, isInProgress, type UpgradeRow, UpgradeStatus, visibleText } from '@device-center/contract';
import { useTranslation } from 'react-i18next';
import { useCan } from '../../api/session.ts';
import { taskPath } from '../../paths.ts';
import { useMobile } from '../../ui/media.ts';
import { absoluteText, RelativeTime } from '../../ui/relative-time.tsx';
import { Link } from '../../ui/routing.ts';
import { StatusDot } from '../../ui/status-dot.tsx';
import { Upcoming } from './task-badges.tsx';
import { reasonText, upgradeStatusText, upgradeTones } from './task-texts.ts';

type UpgradeProps = { upgrade: UpgradeRow };

const steps = [
  UpgradeStatus.notified,
  UpgradeStatus.downloading,
  UpgradeStatus.verifying,
  UpgradeStatus.installing,
] as const;

/** Progress of a device: notified, downloading, verifying, installing. */
const StepDots = ({ status }: Pick<UpgradeRow, 'status'>) => (
  <span className="dc-upgrade-steps" aria-hidden="true">
    {steps.map((step) => (
      <i key={step} data-state={step < status ? 'past' : step === status ? 'now' : 'ahead'} />
    ))}
  </span>
);

/** Upgrade state; on a phone it includes the reason, which has no column there. */
export const UpgradeState = ({ upgrade: { status, reason, percent, first, dueTime, attempt } }: UpgradeProps) => {
  const { t } = useTranslation('ota');
  const mobile = useMobile();
  const underWay = isInProgress(status);
  return (
    <div className="dc-two-lines">
      <StatusDot tone={upgradeTones[status]}>
        {upgradeStatusText(status)}
        {underWay && percent > 0 && <span className="dc-number">{percent}%</span>}
      </StatusDot>
      {underWay && <StepDots status={status} />}
      {mobile && reason !== 0 && <small>{reasonText(reason)}</small>}
      {first === 1 && <small>{t('isFirst')}</small>}
      {dueTime !== '' && (
        <small>
          <Upcoming time={dueTime}>{t('notifiedAgain')}</Upcoming>
        </small>
      )}
      {attempt > 1 && <small>{t('attempt', { attempt })}</small>}
    </div>
  );
};

/** Details that the hub sets itself; a device reports arbitrary text. */
const hubDetailKeys = {
  already: 'detailAlready',
  deleted: 'detailDeleted',
  moved: 'detailMoved',
  'no report': 'detailNoReport',
} as const;
const isHubDetail = (word: string): word is keyof typeof hubDetailKeys => Object.hasOwn(hubDetailKeys, word);

export const UpgradeReason = ({ upgrade: { reason, detail } }: UpgradeProps) => {
  const { t } = useTranslation('ota');
  if (reason === 0 && detail === '') return '—';
  const detailText = () => {
    if (isHubDetail(detail)) return t(hubDetailKeys[detail]);
    return reason === FailReason.preempted ? t('overtakenBy', { task: detail }) : visibleText(detail);
  };
  return (
    <div className="dc-two-lines">
      {reason !== 0 && <span>{reasonText(reason)}</span>}
      {detail !== '' && <small>{detailText()}</small>}
    </div>
  );
};

/** Old and new version, and the current one if it is neither. */
export const Versions = ({ upgrade: { fromVersion, targetVersion, versionNumber } }: UpgradeProps) => {
  const { t } = useTranslation('ota');
  return (
    <div className="dc-two-lines">
      <span className="dc-mono">
        {fromVersion || '—'} → {targetVersion}
      </span>
      {versionNumber !== '' && versionNumber !== fromVersion && versionNumber !== targetVersion && (
        <small>{t('runsNow', { version: versionNumber })}</small>
      )}
    </div>
  );
};

/** Time of the last report or the end, and of the notification. */
export const UpgradeTimes = ({ upgrade: { notifiedTime, reportTime, endTime } }: UpgradeProps) => {
  const { t } = useTranslation('ota');
  if (notifiedTime === '' && endTime === '') return '—';
  const latest = endTime || reportTime || notifiedTime;
  return (
    <div className="dc-two-lines">
      <RelativeTime value={latest} />
      {notifiedTime !== '' && notifiedTime !== latest && (
        <small>{t('notifiedAt', { time: absoluteText(notifiedTime) })}</small>
      )}
    </div>
  );
};

/** Name of the upgrade's task, as a link if the user may open tasks. */
export const TaskName = ({ upgrade: { taskId, taskName } }: UpgradeProps) => {
  const mayOpenTask = useCan('ota:read');
  return mayOpenTask ? <Link to={taskPath(taskId)}>{taskName}</Link> : <span>{taskName}</span>;
};
