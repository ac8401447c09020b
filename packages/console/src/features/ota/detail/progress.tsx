import { countFinished, type TaskDetails, type UpgradeStatusId, upgradeStatusIds } from '@device-center/contract';
import { useTranslation } from 'react-i18next';
import { countText } from '../../../i18n/numbers.ts';
import { TallyBar } from '../task-badges.tsx';
import { upgradeStatusText } from '../task-texts.ts';
import type { TaskDetailList } from './task-view.tsx';

type ProgressProps = { task: TaskDetails; list: TaskDetailList };

/** Progress of the task. A count filters the table below. */
export const Progress = ({ task: { tally, completion, deviceCount }, list: { search, filter } }: ProgressProps) => {
  const { t } = useTranslation('otaDetail');
  const chosen = search.status ?? [];
  const toggle = (status: UpgradeStatusId) => {
    const next = chosen.includes(status) ? chosen.filter((other) => other !== status) : [...chosen, status];
    filter({ tab: 'devices', status: next.length === 0 ? undefined : next.sort(), reason: undefined });
  };
  return (
    <section className="dc-card dc-upgrade-progress" aria-label={t('progress')}>
      <header>
        <strong>{completion}%</strong>
        <span className="dc-muted">
          {t('progressDone', {
            done: countText(countFinished(tally)),
            total: countText(deviceCount),
            count: deviceCount,
          })}
        </span>
      </header>
      <TallyBar tally={tally} />
      <fieldset className="dc-legend" aria-label={t('byState')}>
        {upgradeStatusIds.map((status) => (
          <button
            key={status}
            type="button"
            aria-pressed={chosen.includes(status)}
            disabled={tally[status] === 0 && !chosen.includes(status)}
            onClick={() => toggle(status)}
          >
            <i data-status={status} aria-hidden="true" />
            {upgradeStatusText(status)}
            <b>{countText(tally[status])}</b>
          </button>
        ))}
      </fieldset>
    </section>
  );
};
