import { isUnfinished, type TaskDetails, TaskStatus } from '@device-center/contract';
import { useTranslation } from 'react-i18next';
import { countText } from '../../../i18n/numbers.ts';
import { Upcoming } from '../task-badges.tsx';
import type { TaskDetailList } from './task-view.tsx';

type StagesProps = { task: TaskDetails; list: TaskDetailList };

/** A task that has not started notifies no device yet; between two runs, the result of the last run is shown. */
const currentStageState = ({ taskStatus, runs }: TaskDetails): 'past' | 'now' | 'ahead' => {
  if (taskStatus === TaskStatus.notStarted) return 'ahead';
  if (taskStatus === TaskStatus.waitingNext) return runs === 0 ? 'ahead' : 'past';
  return isUnfinished(taskStatus) ? 'now' : 'past';
};

const stateOf = (stageNumber: number, task: TaskDetails): 'past' | 'now' | 'ahead' => {
  if (stageNumber === task.stage) return currentStageState(task);
  return stageNumber < task.stage ? 'past' : 'ahead';
};

/** The stages with the number of notified devices and their results. A stage filters the table below. */
export const Stages = ({ task, list: { search, filter } }: StagesProps) => {
  const { t } = useTranslation('otaDetail');
  return (
    <section className="dc-card dc-stages" aria-label={t('stages')}>
      <h2>{t('stages')}</h2>
      <ol>
        {task.stages.map((share, index) => {
          const stageNumber = index + 1;
          const state = stateOf(stageNumber, task);
          const tally = task.stageTallies.find(({ stage }) => stage === stageNumber);
          const upTo = Math.ceil((task.deviceCount * share) / 100);
          const waits = stageNumber === task.stage + 1 && task.stageTime !== '';
          return (
            <li key={share} data-state={state} {...(state === 'now' ? { 'aria-current': 'step' as const } : {})}>
              <button
                type="button"
                aria-pressed={search.stage === stageNumber}
                disabled={!tally}
                onClick={() =>
                  filter({ tab: 'devices', stage: search.stage === stageNumber ? undefined : stageNumber })
                }
              >
                <span className="dc-stage-name">
                  {t('stageName', { place: stageNumber })} <b>{share}%</b>
                </span>
                <small>{t('stageUpTo', { count: upTo })}</small>
              </button>
              {tally ? (
                <small className="dc-stage-tally">
                  {t('stageTally', {
                    notified: countText(tally.told),
                    success: countText(tally.success),
                    failed: countText(tally.failed),
                    undone: countText(tally.undone),
                  })}
                </small>
              ) : (
                <small className="dc-stage-tally">
                  {waits ? <Upcoming time={task.stageTime}>{t('stageWaits')}</Upcoming> : t(`stage_${state}`)}
                </small>
              )}
            </li>
          );
        })}
      </ol>
    </section>
  );
};
