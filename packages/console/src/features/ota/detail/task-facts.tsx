import { type TaskDetails, TaskType } from '@device-center/contract';
import { useTranslation } from 'react-i18next';
import { usePlatformOperator } from '../../../api/platform-operator.ts';
import { useCan } from '../../../api/session.ts';
import { productPath } from '../../../paths.ts';
import { type Fact, FactList } from '../../../ui/fact-list.tsx';
import { absoluteText } from '../../../ui/relative-time.tsx';
import { Link } from '../../../ui/routing.ts';
import { KeyValue } from '../../../ui/states.tsx';
import { usePollingText } from '../cron-texts.ts';
import { Upcoming } from '../task-badges.tsx';
import { windowText } from '../task-texts.ts';

type TaskProps = { task: TaskDetails };

const Product = ({ task: { productId, productName } }: TaskProps) => {
  const mayProducts = useCan('product:read');
  return mayProducts ? <Link to={productPath(productId)}>{productName}</Link> : productName;
};

const useCondition = ({ chosen, versionNumber, deviceCount, appName }: TaskDetails): string => {
  const { t } = useTranslation('ota');
  const targets = chosen === 1 ? t('chosenDevices', { count: deviceCount }) : versionNumber.join(t('listSeparator'));
  return appName === '' ? targets : `${targets} · ${t('inApplication', { name: appName })}`;
};

/** The four facts that distinguish tasks. */
export const KeyFacts = ({ task }: TaskProps) => {
  const { t } = useTranslation(['otaDetail', 'ota']);
  const words = usePollingText(task);
  const condition = useCondition(task);
  const polling = task.taskType === TaskType.polling;
  const facts: Fact[] = [
    {
      label: t('ota:target'),
      value: (
        <>
          <strong>{task.targetVersion}</strong> {task.versionName} · <Product task={task} />
        </>
      ),
    },
    { label: t('ota:condition'), value: condition },
    { label: t('ota:rank'), value: task.taskRank },
    {
      label: t('otaDetail:window'),
      value: (
        <>
          {windowText(task)}
          {polling && <small className="dc-muted"> {words}</small>}
          {task.nextTime !== '' && (
            <small>
              <Upcoming time={task.nextTime} zone={polling ? task.timezone : ''}>
                {t(polling ? 'ota:nextRun' : 'ota:begins')}
              </Upcoming>
            </small>
          )}
        </>
      ),
    },
  ];
  return <FactList className="dc-card dc-task-facts" facts={facts} />;
};

/** All settings of the task. */
export const SettingsTab = ({ task }: TaskProps) => {
  const { t } = useTranslation(['otaDetail', 'ota', 'common']);
  const operator = usePlatformOperator();
  const polling = task.taskType === TaskType.polling;
  const facts: Fact[] = [
    { label: t('otaDetail:mode'), value: t(polling ? 'otaDetail:polling' : 'otaDetail:once') },
    ...(polling
      ? [
          { label: t('otaDetail:cron'), value: <code className="dc-mono">{task.cron}</code> },
          { label: t('otaDetail:timezone'), value: task.timezone },
          { label: t('otaDetail:runs'), value: task.runs },
        ]
      : []),
    { label: t('otaDetail:stages'), value: task.stages.map((share) => `${share}%`).join(' → ') },
    { label: t('otaDetail:stageWait'), value: t('otaDetail:minutes', { count: task.stageWait }) },
    {
      label: t('otaDetail:perMinute'),
      value: task.perMinute === 0 ? t('otaDetail:unlimited') : t('otaDetail:devices', { count: task.perMinute }),
    },
    { label: t('otaDetail:timeout'), value: t('otaDetail:minutes', { count: task.timeout }) },
    { label: t('otaDetail:retries'), value: task.retries },
    {
      label: t('otaDetail:stop'),
      value:
        task.stopPercent === 0
          ? t('otaDetail:stopNever')
          : t('otaDetail:stopAt', { percent: task.stopPercent, count: task.stopAfter }),
    },
    { label: t('otaDetail:allowOlder'), value: t(task.allowOlder === 1 ? 'otaDetail:yes' : 'otaDetail:no') },
    { label: t('ota:handler'), value: task.handler },
    ...(operator ? [{ label: t('ota:tenant'), value: task.tenancyName }] : []),
    { label: t('common:createTime'), value: absoluteText(task.createTime) },
    { label: t('otaDetail:endTime'), value: task.endTime === '' ? '' : absoluteText(task.endTime) },
  ];
  return (
    <section className="dc-card dc-padded dc-task-settings">
      <KeyValue items={facts} />
    </section>
  );
};
