import { type ErrorCode, errorText, TaskType } from '@device-center/contract';
import { DatePicker, Form, InputNumber, Radio, Select } from 'antd';
import dayjs from 'dayjs';
import { useTranslation } from 'react-i18next';
import { currentLanguage } from '../../../i18n/language.ts';
import { Field } from '../../../ui/field.tsx';
import { FormSection } from '../../../ui/form-page.tsx';
import { ownZone, usePollingText } from '../cron-texts.ts';
import { minuteText } from '../task-texts.ts';
import { CronField } from './cron-field.tsx';
import type { FieldAria } from './field-aria.ts';
import { nextRuns, useNextRuns, windowOf } from './next-runs.ts';
import { rules, type TimesFields } from './task-fields.ts';

const fail = (code: ErrorCode): never => {
  throw new Error(errorText(code, currentLanguage()));
};

type TimeInputProps = FieldAria & { value?: string; onChange?: (time: string) => void; placeholder?: string };

/** Date picker for an ISO string; shows the browser's local time. */
const TimeInput = ({ value = '', onChange, placeholder = '', ...aria }: TimeInputProps) => (
  <DatePicker
    {...aria}
    className="dc-time-input"
    showTime={{ format: 'HH:mm' }}
    format="YYYY-MM-DD HH:mm"
    placeholder={placeholder}
    value={value === '' ? null : dayjs(value)}
    onChange={(time) => onChange?.(time ? time.second(0).millisecond(0).toISOString() : '')}
  />
);

const zones = (): { value: string }[] => Intl.supportedValuesOf('timeZone').map((value) => ({ value }));

export const RankField = () => {
  const { t } = useTranslation('otaForm');
  return (
    <Field name="taskRank" label={t('rank')} schema={rules.taskRank} hint={t('rankHint')}>
      <InputNumber />
    </Field>
  );
};

const WindowFields = ({ later }: { later: boolean }) => {
  const { t } = useTranslation('otaForm');
  const form = Form.useFormInstance<TimesFields>();
  const validateEnd = async (_rule: unknown, end: string | undefined) => {
    if (!end) return;
    const { start } = windowOf({ ...form.getFieldsValue(), taskEnd: '' }, Date.now());
    if (Date.parse(end) <= Math.max(start, Date.now())) fail('TASK_TIMES');
  };
  return (
    <div className="dc-form-pair">
      {later && (
        <Form.Item name="taskStart" label={t('start')} rules={[{ required: true, message: t('startMissing') }]}>
          <TimeInput />
        </Form.Item>
      )}
      <Form.Item
        name="taskEnd"
        label={t('end')}
        dependencies={['taskStart', 'executeNow']}
        rules={[{ validator: validateEnd }]}
        extra={t('endHint')}
      >
        <TimeInput placeholder={t('endDefault')} />
      </Form.Item>
    </div>
  );
};

/** Description of the cron expression and its next runs. */
const CronPreview = () => {
  const { t } = useTranslation('otaForm');
  const form = Form.useFormInstance<TimesFields>();
  const times: Partial<TimesFields> = Form.useWatch([], form) ?? {};
  const { taskType, executeNow = 1, taskStart = '', taskEnd = '', cron = '', timezone = '' } = times;
  const words = usePollingText({ cron, timezone });
  const runs = useNextRuns({ taskType, executeNow, taskStart, taskEnd, cron, timezone } as TimesFields);
  if (runs?.problem !== '') return null;
  return (
    <div className="dc-cron-outlook" role="status">
      <strong>{words}</strong>
      <span className="dc-muted">{t('nextRuns')}</span>
      <ol>
        {runs.times.map((time) => (
          <li key={time}>{minuteText(time)}</li>
        ))}
      </ol>
      <small className="dc-muted">{t('yourClock', { zone: ownZone() })}</small>
    </div>
  );
};

const PollingFields = () => {
  const { t } = useTranslation('otaForm');
  const form = Form.useFormInstance<TimesFields>();
  const validateCron = async (_rule: unknown, cron: string) => {
    const { executeNow, taskStart = '', taskEnd = '', timezone } = form.getFieldsValue() as TimesFields;
    const { problem } = await nextRuns({ executeNow, taskStart, taskEnd, cron, timezone, taskType: 2, taskRank: 1 });
    if (problem !== '') fail(problem);
  };
  return (
    <>
      <Form.Item
        name="cron"
        label={t('cron')}
        required
        dependencies={['taskStart', 'taskEnd', 'executeNow', 'timezone']}
        rules={[{ validator: validateCron }]}
        extra={t('cronHint')}
      >
        <CronField />
      </Form.Item>
      <Field name="timezone" label={t('timezone')} schema={rules.timezone}>
        <Select showSearch options={zones()} />
      </Field>
      <CronPreview />
    </>
  );
};

/** Schedule: start time and repetition. */
export const TimesSection = () => {
  const { t } = useTranslation('otaForm');
  const executeNow = Form.useWatch('executeNow');
  const taskType = Form.useWatch('taskType');
  return (
    <FormSection title={t('sectionTimes')}>
      <Form.Item name="executeNow" label={t('begin')}>
        <Radio.Group
          options={[
            { value: 1, label: t('beginNow') },
            { value: 0, label: t('beginLater') },
          ]}
        />
      </Form.Item>
      <WindowFields later={executeNow === 0} />
      <Form.Item name="taskType" label={t('mode')} extra={taskType === TaskType.polling ? t('pollingHint') : undefined}>
        <Radio.Group
          options={[
            { value: TaskType.once, label: t('once') },
            { value: TaskType.polling, label: t('polling') },
          ]}
        />
      </Form.Item>
      {taskType === TaskType.polling && <PollingFields />}
    </FormSection>
  );
};
