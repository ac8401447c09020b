import type { ModelFunction } from '@device-center/contract';
import { type ReactNode, useMemo, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { outputType } from '../../../../model/values/value-draft.ts';
import { ValueForm } from '../../../../model/values/value-form.tsx';
import { Button } from '../../../../ui/button.tsx';
import type { DefaultValues } from './use-default-values.ts';

type DefaultFormProps = {
  entry: ModelFunction;
  defaults: DefaultValues;
  /** An additional action on the value; its button is the first one. */
  action?: { label: string; disabled: boolean; loading: boolean; title: string; run: (value: unknown) => void };
  children?: ReactNode;
};

/** Form for the value that a device reports for a function: save it as the default, or send it. */
export const DefaultForm = ({ entry, defaults, action, children }: DefaultFormProps) => {
  const { t } = useTranslation('mockTabs');
  const type = useMemo(() => outputType(entry), [entry]);
  const { signCode, functionName } = entry;
  const [round, setRound] = useState(0);
  // Two buttons submit the same form; the pressed one sets the intent.
  const intent = useRef<'act' | 'save'>('save');
  const submit = (value: unknown) => {
    if (intent.current === 'act') action?.run(value);
    else defaults.save({ [signCode]: value });
  };
  return (
    <ValueForm key={round} type={type} label={functionName} value={defaults.valueOf(signCode)} onSubmit={submit}>
      <div className="dc-tab-actions">
        {action && (
          <Button
            type="primary"
            htmlType="submit"
            disabled={action.disabled}
            loading={action.loading}
            title={action.title}
            onClick={() => {
              intent.current = 'act';
            }}
          >
            {action.label}
          </Button>
        )}
        <Button
          htmlType="submit"
          loading={defaults.saving}
          onClick={() => {
            intent.current = 'save';
          }}
        >
          {t('saveDefault')}
        </Button>
        <Button
          type="text"
          disabled={defaults.saving || !defaults.isSaved(signCode)}
          title={t('backToModelHint')}
          onClick={() => defaults.forget([signCode], () => setRound(round + 1))}
        >
          {t('backToModel')}
        </Button>
      </div>
      {defaults.problem !== '' && (
        <p className="dc-field-error" role="alert">
          {defaults.problem}
        </p>
      )}
      {children}
    </ValueForm>
  );
};
