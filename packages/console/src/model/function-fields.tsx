import {
  accessModes,
  callTypes,
  DESCRIPTION_MAX_BYTES,
  eventTypes,
  FunctionType,
  type OwnFunctionType,
  utf8Bytes,
} from '@device-center/contract';
import { type ReactNode, useDeferredValue, useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { DataTypeFields } from './data-type-fields.tsx';
import { ChoiceField, ListProblem, TextField } from './form-field.tsx';
import { useForm } from './form-store.ts';
import { rawOf } from './function-form.ts';
import { ParamList } from './param-list.tsx';
import { readDefinition } from './read-definition.ts';
import { suggestIdentifier } from './suggest.ts';

const ByteCount = () => {
  const { t } = useTranslation('model');
  const count = useForm((state) => utf8Bytes(state.form.description));
  const over = count > DESCRIPTION_MAX_BYTES;
  return (
    <span className={over ? 'dc-fn-problem dc-number' : 'dc-muted dc-small dc-number'}>
      {t('bytes', { count, max: DESCRIPTION_MAX_BYTES })}
    </span>
  );
};

const Basics = () => {
  const { t } = useTranslation('model');
  const signCode = useForm((state) => state.form.signCode);
  const name = useForm((state) => state.form.functionName);
  const isStored = useForm((state) => state.form.id !== undefined);
  const set = useForm((state) => state.set);
  const suggest = (typed: string) => {
    if (!isStored && signCode === suggestIdentifier(name)) set('signCode', suggestIdentifier(typed));
  };
  return (
    <section className="dc-fn-section">
      <h3>{t('sectionBasic')}</h3>
      <div className="dc-fn-row">
        <TextField path="functionName" label={t('functionName')} required onText={suggest} />
        <TextField path="signCode" label={t('signCode')} required mono />
      </div>
      <TextField path="description" label={t('description')} rows={2} aside={<ByteCount />} />
    </section>
  );
};

const ROOT = 'functionDefinition';

const PropertyFields = () => {
  const { t } = useTranslation('model');
  return (
    <>
      <ChoiceField
        path={`${ROOT}.accessMode`}
        label={t('accessMode')}
        options={accessModes.map((value) => ({ value, label: t(value) }))}
      />
      <DataTypeFields path={`${ROOT}.dataType`} label={t('dataType')} depth={1} />
    </>
  );
};

const ServiceFields = () => {
  const { t } = useTranslation('model');
  return (
    <>
      <ChoiceField
        path={`${ROOT}.callType`}
        label={t('callType')}
        options={callTypes.map((value) => ({ value, label: t(value) }))}
      />
      <ParamList path={`${ROOT}.input`} list="input" depth={1} TypeFields={DataTypeFields} />
      <ParamList path={`${ROOT}.output`} list="output" depth={1} TypeFields={DataTypeFields} />
    </>
  );
};

const EventFields = () => {
  const { t } = useTranslation('model');
  return (
    <>
      <ChoiceField
        path={`${ROOT}.eventType`}
        label={t('eventType')}
        options={eventTypes.map((value) => ({ value, label: t(value) }))}
      />
      <ParamList path={`${ROOT}.output`} list="output" depth={1} TypeFields={DataTypeFields} />
    </>
  );
};

const definitionFields: Record<OwnFunctionType, () => ReactNode> = {
  [FunctionType.property]: PropertyFields,
  [FunctionType.service]: ServiceFields,
  [FunctionType.event]: EventFields,
};

const PreviewText = () => {
  const form = useDeferredValue(useForm((state) => state.form));
  const text = useMemo(() => JSON.stringify(readDefinition(rawOf(form)), null, 2), [form]);
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scroll container must be focusable by keyboard.
    <pre className="dc-panel" tabIndex={0}>
      {text}
    </pre>
  );
};

/** Preview of the definition as the hub will store it, or as typed while it is invalid. */
const Preview = () => {
  const { t } = useTranslation('model');
  const [open, setOpen] = useState(false);
  return (
    <details className="dc-fn-preview" onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>{t('preview')}</summary>
      {open && <PreviewText />}
    </details>
  );
};

/** All fields of one function. */
export const FunctionFields = () => {
  const { t } = useTranslation('model');
  const Definition = definitionFields[useForm((state) => state.form.functionType)];
  return (
    <div className="dc-fn-form">
      <Basics />
      <section className="dc-fn-section">
        <h3>{t('sectionDefinition')}</h3>
        <ListProblem path={ROOT} />
        <Definition />
      </section>
      <Preview />
    </div>
  );
};
