import type { DataType } from '@device-center/contract';
import { type FormEvent, type ReactNode, useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ValueFormContext, type ValuePath } from './value-context.ts';
import { type Draft, draftOf, pathKey, problemsOf, valueFrom } from './value-draft.ts';
import { ParamFields, ValueField } from './value-field.tsx';
import './value-form.css';

type FieldsProps = { type: DataType; label: string; draft: Draft; onChange: (draft: Draft) => void };

const Fields = ({ type, label, draft, onChange }: FieldsProps) => {
  const { t } = useTranslation('model');
  if (type.type !== 'json' || draft.kind !== 'fields')
    return <ValueField type={type} path={[]} label={label} draft={draft} onChange={onChange} />;
  if (type.fields.length === 0) return <p className="dc-muted">{t('noInput')}</p>;
  return (
    <ParamFields
      params={type.fields}
      path={[]}
      fields={draft.fields}
      onChange={(fields) => onChange({ kind: 'fields', fields })}
    />
  );
};

type ValueFormProps = {
  type: DataType;
  label: string;
  /** Initial value, such as a property's current value. */
  value?: unknown;
  disabled?: boolean;
  /** Called only with a valid value. */
  onSubmit: (value: unknown) => void;
  /** The submit button, other buttons and the result. */
  children: ReactNode;
};

/** Form for a value of the model. Shows problems at touched fields, and everywhere after an attempt to submit. */
export const ValueForm = ({ type, label, value, disabled = false, onSubmit, children }: ValueFormProps) => {
  const [draft, setDraft] = useState<Draft>(() => draftOf(type, value));
  const [touched, setTouched] = useState<ReadonlySet<string> | 'all'>(new Set());
  const problems = useMemo(() => problemsOf(type, draft), [type, draft]);
  const form = useMemo(
    () => ({
      disabled,
      problems,
      touched,
      touch: (path: ValuePath) => setTouched((known) => (known === 'all' ? known : new Set(known).add(pathKey(path)))),
    }),
    [disabled, problems, touched],
  );
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setTouched('all');
    if (problems.size === 0) onSubmit(valueFrom(type, draft));
  };
  return (
    <form className="dc-function-form" noValidate onSubmit={submit} aria-label={label}>
      <ValueFormContext value={form}>
        <Fields type={type} label={label} draft={draft} onChange={setDraft} />
      </ValueFormContext>
      {children}
    </form>
  );
};
