import { otaCalls, type TaskDetails } from '@device-center/contract';
import { Form, Radio } from 'antd';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useCallMutation } from '../../../api/use-call.ts';
import { countText } from '../../../i18n/numbers.ts';
import { taskPath } from '../../../paths.ts';
import type { Fact } from '../../../ui/fact-list.tsx';
import { FormPage, FormSection } from '../../../ui/form-page.tsx';
import { Link } from '../../../ui/routing.ts';
import { EmptyState, KeyValue } from '../../../ui/states.tsx';
import { reasonText, taskStatusText } from '../task-texts.ts';
import { FailedDevices } from './failed-devices.tsx';
import { blankTimes, type TimesFields, timesOf } from './task-fields.ts';
import { RankField, TimesSection } from './times-section.tsx';

type RetryFields = { which: 'all' | 'chosen'; deviceListId: string[] } & TimesFields;

const Summary = ({ task, count }: { task: TaskDetails; count: number }) => {
  const { t } = useTranslation(['otaForm', 'common', 'ota']);
  const facts: Fact[] = [
    { label: t('otaForm:task'), value: <Link to={taskPath(task.taskId)}>{task.taskName}</Link> },
    { label: t('ota:status'), value: taskStatusText(task.taskStatus) },
    { label: t('otaForm:targetVersion'), value: `${task.productName} ${task.targetVersion}` },
    ...task.failures.map(({ reason, devices }) => ({
      label: reasonText(reason) || t('ota:upgrade_6'),
      value: countText(devices),
    })),
  ];
  return (
    <>
      <h2>{t('common:summary')}</h2>
      <p className="dc-preview-total" role="status">
        {t('otaForm:retryBefore')}
        <strong>{countText(count)}</strong>
        {t('otaForm:retryAfter', { count })}
      </p>
      <KeyValue items={facts} />
      <p>{t('otaForm:retryHint')}</p>
    </>
  );
};

/** Form to retry the failed devices of a task at other times or with another rank. */
export const RetryTask = ({ task, chosen }: { task: TaskDetails; chosen: string[] | undefined }) => {
  const { t } = useTranslation(['otaForm', 'ota']);
  const [form] = Form.useForm<RetryFields>();
  const [initial] = useState<RetryFields>(() => ({
    which: chosen ? 'chosen' : 'all',
    deviceListId: chosen ?? [],
    ...blankTimes(),
    taskRank: task.taskRank,
    ...(task.cron === '' ? {} : { cron: task.cron, timezone: task.timezone }),
  }));
  const watched: RetryFields | undefined = Form.useWatch([], { form, preserve: true });
  const { which, deviceListId } = watched ?? initial;
  const retry = useCallMutation(otaCalls.retryOtaForFailed, { as: 'json' });
  const failed = task.tally[6];
  // State at opening: submitting this form changes the task, which must not replace the form.
  const [possible] = useState(() => task.allowed.includes('retry') && failed > 0);

  if (!possible)
    return (
      <div className="dc-card">
        <EmptyState
          title={t('otaForm:retryTitle', { name: task.taskName })}
          text={t(failed === 0 ? 'otaForm:nothingFailed' : 'otaForm:retryNotNow', {
            status: taskStatusText(task.taskStatus),
          })}
          action={<Link to={taskPath(task.taskId)}>{t('otaForm:toTask')}</Link>}
        />
      </div>
    );

  return (
    <FormPage<RetryFields>
      title={t('otaForm:retryTitle', { name: task.taskName })}
      form={form}
      initial={initial}
      backTo={taskPath(task.taskId)}
      submitText={t('otaForm:retrySubmit')}
      onSubmit={(values) =>
        retry.mutateAsync({
          taskId: task.taskId,
          ...timesOf(values),
          ...(values.which === 'chosen' ? { deviceListId: values.deviceListId } : {}),
        })
      }
      summary={<Summary task={task} count={which === 'all' ? failed : (deviceListId?.length ?? 0)} />}
    >
      <FormSection title={t('otaForm:sectionFailed')}>
        <Form.Item name="which" label={t('otaForm:which')}>
          <Radio.Group
            options={[
              { value: 'all', label: t('otaForm:allFailed', { count: failed }) },
              { value: 'chosen', label: t('otaForm:someFailed') },
            ]}
          />
        </Form.Item>
        {which === 'chosen' && (
          <Form.Item
            name="deviceListId"
            label={t('otaForm:devices')}
            rules={[{ required: true, type: 'array', min: 1, message: t('otaForm:chooseFailed') }]}
          >
            <FailedDevices taskId={task.taskId} />
          </Form.Item>
        )}
        <RankField />
      </FormSection>
      <TimesSection />
    </FormPage>
  );
};
