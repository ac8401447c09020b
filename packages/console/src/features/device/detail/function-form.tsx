import type { DeviceDetails } from '@device-center/contract';
import { Button } from 'antd';
import { type FormEvent, useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { CommandFeedback, ReadButton, useFunctionCommand } from './function-command.tsx';
import { type Place, ValueFormContext } from './value-context.ts';
import {
  type Draft,
  draftOf,
  isReadable,
  placeKey,
  problemsOf,
  type Sendable,
  typeToFill,
  valueFrom,
} from './value-draft.ts';
import { ParamFields, ValueField } from './value-field.tsx';
import './functions.css';

type FieldsProps = { entry: Sendable; draft: Draft; onChange: (draft: Draft) => void };

const Fields = ({ entry, draft, onChange }: FieldsProps) => {
  const { t } = useTranslation('deviceDetail');
  const type = typeToFill(entry);
  if (entry.functionType === 1)
    return <ValueField type={type} place={[]} label={entry.functionName} draft={draft} onChange={onChange} />;
  if (type.type !== 'json' || draft.kind !== 'fields') return null;
  if (type.fields.length === 0) return <p className="dc-muted">{t('noInput')}</p>;
  return (
    <ParamFields
      params={type.fields}
      place={[]}
      fields={draft.fields}
      onChange={(fields) => onChange({ kind: 'fields', fields })}
    />
  );
};

type FunctionFormProps = {
  device: DeviceDetails;
  entry: Sendable;
  /** To begin with, such as a property's present value. */
  value?: unknown;
};

/** A property to set or a service to call, and what the device answered. */
const FunctionForm = ({ device, entry, value }: FunctionFormProps) => {
  const { t } = useTranslation('deviceDetail');
  const [draft, setDraft] = useState<Draft>(() => draftOf(typeToFill(entry), value));
  const [touched, setTouched] = useState<ReadonlySet<string> | 'all'>(new Set());
  const command = useFunctionCommand(device, entry.signCode);
  const { offline, pending } = command;
  const problems = useMemo(() => problemsOf(entry, draft), [entry, draft]);
  const form = useMemo(
    () => ({
      disabled: offline,
      problems,
      touched,
      touch: (place: Place) => setTouched((known) => (known === 'all' ? known : new Set(known).add(placeKey(place)))),
    }),
    [offline, problems, touched],
  );
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setTouched('all');
    if (problems.size === 0) command.send(valueFrom(typeToFill(entry), draft));
  };
  return (
    <form className="dc-function-form" noValidate onSubmit={submit} aria-label={entry.functionName}>
      <ValueFormContext value={form}>
        <Fields entry={entry} draft={draft} onChange={setDraft} />
      </ValueFormContext>
      <div className="dc-function-actions">
        <Button
          type="primary"
          htmlType="submit"
          disabled={offline || pending === 'read'}
          loading={pending === 'send'}
          title={offline ? t('notOnline') : undefined}
        >
          {t(entry.functionType === 1 ? 'write' : 'call')}
        </Button>
        {isReadable(entry) && <ReadButton command={command} name={entry.functionName} />}
        {offline && <span className="dc-muted">{t('notOnline')}</span>}
      </div>
      <CommandFeedback command={command} />
    </form>
  );
};

export default FunctionForm;
