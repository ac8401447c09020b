import { Input, InputNumber, Select, TimePicker } from 'antd';
import dayjs from 'dayjs';
import { useTranslation } from 'react-i18next';
import { languageTag } from '../../../i18n/language.ts';
import { type CronPattern, convertCron, hourSteps, readCron, writeCron } from './cron-pattern.ts';
import type { FieldAria } from './field-aria.ts';

const kinds = ['hours', 'daily', 'weekly', 'monthly'] as const;

const weekdayName = (day: number): string =>
  // 2023-01-01 was a Sunday.
  new Intl.DateTimeFormat(languageTag(), { weekday: 'short', timeZone: 'UTC' }).format(Date.UTC(2023, 0, 1 + day));

const weekdays = () => [1, 2, 3, 4, 5, 6, 0].map((value) => ({ value, label: weekdayName(value) }));
const monthdays = Array.from({ length: 31 }, (_, place) => ({ value: place + 1, label: String(place + 1) }));

type PatternProps<Pattern extends CronPattern> = { pattern: Pattern; onChange: (pattern: CronPattern) => void };

const EveryHours = ({ pattern, onChange }: PatternProps<Extract<CronPattern, { kind: 'hours' }>>) => {
  const { t } = useTranslation('otaForm');
  return (
    <>
      <Select
        aria-label={t('cronEvery')}
        value={pattern.every}
        options={hourSteps.map((value) => ({ value, label: t('cronEveryHours', { count: value }) }))}
        onChange={(every) => onChange({ ...pattern, every })}
      />
      <InputNumber
        aria-label={t('cronMinute')}
        prefix={t('cronAtMinute')}
        min={0}
        max={59}
        precision={0}
        value={pattern.minute}
        onChange={(minute) => onChange({ ...pattern, minute: minute ?? 0 })}
      />
    </>
  );
};

const TimeOfDay = ({ pattern, onChange }: PatternProps<Exclude<CronPattern, { kind: 'hours' }>>) => {
  const { t } = useTranslation('otaForm');
  return (
    <TimePicker
      aria-label={t('cronTime')}
      format="HH:mm"
      allowClear={false}
      needConfirm={false}
      value={dayjs().startOf('day').hour(pattern.hour).minute(pattern.minute)}
      onChange={(time) => time && onChange({ ...pattern, hour: time.hour(), minute: time.minute() })}
    />
  );
};

const Days = ({ pattern, onChange }: PatternProps<Extract<CronPattern, { days: number[] }>>) => {
  const { t } = useTranslation('otaForm');
  return (
    <Select
      className="dc-cron-days"
      mode="multiple"
      aria-label={t(pattern.kind === 'weekly' ? 'cronWeekdays' : 'cronMonthdays')}
      value={pattern.days}
      options={pattern.kind === 'weekly' ? weekdays() : monthdays}
      // Keep at least one day: an expression needs one.
      onChange={(days) => days.length > 0 && onChange({ ...pattern, days: [...days].sort((a, b) => a - b) })}
    />
  );
};

type CronFieldProps = FieldAria & { value?: string; onChange?: (cron: string) => void };

/** A builder for common schedules and an input for the expression; both stay in sync. */
export const CronField = ({ value = '', onChange, ...aria }: CronFieldProps) => {
  const { t } = useTranslation('otaForm');
  const pattern = readCron(value);
  const write = (next: CronPattern) => onChange?.(writeCron(next));
  return (
    <div className="dc-cron">
      <fieldset className="dc-cron-builder" aria-label={t('cronBuilder')}>
        <Select<CronPattern['kind'] | 'own'>
          aria-label={t('cronKind')}
          value={pattern?.kind ?? 'own'}
          options={[
            ...kinds.map((kind) => ({ value: kind, label: t(`cron_${kind}`) })),
            ...(pattern ? [] : [{ value: 'own' as const, label: t('cronOwn') }]),
          ]}
          onChange={(kind) => kind !== 'own' && write(convertCron(kind, pattern))}
        />
        {pattern?.kind === 'hours' && <EveryHours pattern={pattern} onChange={write} />}
        {(pattern?.kind === 'weekly' || pattern?.kind === 'monthly') && <Days pattern={pattern} onChange={write} />}
        {pattern && pattern.kind !== 'hours' && <TimeOfDay pattern={pattern} onChange={write} />}
      </fieldset>
      <Input
        {...aria}
        className="dc-cron-text"
        value={value}
        spellCheck={false}
        onChange={(event) => onChange?.(event.target.value)}
      />
    </div>
  );
};
