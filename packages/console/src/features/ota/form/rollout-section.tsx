import { Checkbox, Form, Input, InputNumber, Segmented } from 'antd';
import { useTranslation } from 'react-i18next';
import { Field } from '../../../ui/field.tsx';
import { FormSection } from '../../../ui/form-page.tsx';
import { rulesFrom } from '../../../ui/rules.ts';
import type { FieldAria } from './field-aria.ts';
import { allAtOnce, careful, LARGE_FROM, matchesPreset, type RolloutFields, rules, stagesIn } from './task-fields.ts';

type Preset = 'all' | 'careful' | 'own';

const presetOf = (fields: Partial<RolloutFields>): Preset => {
  if (matchesPreset(fields, allAtOnce)) return 'all';
  return matchesPreset(fields, careful) ? 'careful' : 'own';
};

/** The shares of the stages as a bar. */
const StageBar = ({ shares }: { shares: number[] }) => (
  <div className="dc-stage-bar" aria-hidden="true">
    {shares.map((share, index) => (
      <i key={share} style={{ flexGrow: share - (shares[index - 1] ?? 0) }}>
        {share}%
      </i>
    ))}
  </div>
);

type NumberFieldProps = {
  name: keyof RolloutFields;
  label: string;
  hint: string;
  unit: string;
};

const NumberField = ({ name, label, hint, unit }: NumberFieldProps) => (
  <Field name={name} label={label} schema={rules[name]} hint={hint}>
    <InputNumber className="dc-rollout-number" suffix={unit} />
  </Field>
);

type AllowOlderProps = FieldAria & { value?: 0 | 1; onChange?: (value: 0 | 1) => void };

const AllowOlder = ({ value, onChange, ...aria }: AllowOlderProps) => {
  const { t } = useTranslation('otaForm');
  return (
    <Checkbox {...aria} checked={value === 1} onChange={({ target }) => onChange?.(target.checked ? 1 : 0)}>
      {t('allowOlder')}
    </Checkbox>
  );
};

/** Rollout: stages, rate, timeouts and failure threshold. */
export const RolloutSection = ({ large, onChoose }: { large: boolean; onChoose: () => void }) => {
  const { t } = useTranslation('otaForm');
  const form = Form.useFormInstance<RolloutFields>();
  const fields: Partial<RolloutFields> = Form.useWatch([], form) ?? {};
  const shares = stagesIn(fields.stages ?? '');
  const wellFormed = rules.stages.safeParse(shares).success;
  const applyPreset = (preset: Preset) => {
    onChoose();
    if (preset !== 'own') form.setFieldsValue({ ...allAtOnce, ...(preset === 'careful' ? careful : {}) });
  };
  return (
    <FormSection title={t('sectionRollout')}>
      <Form.Item label={t('preset')} extra={large ? t('presetLarge', { count: LARGE_FROM }) : undefined}>
        <Segmented<Preset>
          aria-label={t('preset')}
          value={presetOf(fields)}
          options={[
            { value: 'all', label: t('presetAll') },
            { value: 'careful', label: t('presetCareful') },
            { value: 'own', label: t('presetOwn'), disabled: presetOf(fields) !== 'own' },
          ]}
          onChange={applyPreset}
        />
      </Form.Item>
      <Form.Item
        name="stages"
        label={t('stages')}
        extra={t('stagesHint')}
        rules={rulesFrom(rules.stages).map((rule) => ({ ...rule, transform: stagesIn }))}
      >
        <Input inputMode="numeric" />
      </Form.Item>
      {wellFormed && shares.length > 1 && <StageBar shares={shares} />}
      <div className="dc-form-pair">
        <NumberField name="stageWait" label={t('stageWait')} hint={t('stageWaitHint')} unit={t('minutes')} />
        <NumberField name="perMinute" label={t('perMinute')} hint={t('perMinuteHint')} unit={t('devicesUnit')} />
        <NumberField name="timeout" label={t('timeout')} hint={t('timeoutHint')} unit={t('minutes')} />
        <NumberField name="retries" label={t('retries')} hint={t('retriesHint')} unit={t('times')} />
        <NumberField name="stopPercent" label={t('stopPercent')} hint={t('stopPercentHint')} unit="%" />
        <NumberField name="stopAfter" label={t('stopAfter')} hint={t('stopAfterHint')} unit={t('devicesUnit')} />
      </div>
      <Form.Item name="allowOlder" extra={t('allowOlderHint')}>
        <AllowOlder />
      </Form.Item>
    </FormSection>
  );
};
