import { type DataTypeKind, DEPTH_MAX, dataTypeKinds } from '@device-center/contract';
import { memo } from 'react';
import { useTranslation } from 'react-i18next';
import { EnumItems } from './enum-items.tsx';
import { ChoiceField, TextField } from './form-field.tsx';
import { useForm, valueAt } from './form-store.ts';
import { blankItem, blankParam, blankType, type FormType } from './function-form.ts';
import { ParamList, type TypeFieldsProps } from './param-list.tsx';

type LimitsProps = { path: string; kind: 'integer' | 'long' | 'double' };

const Limits = ({ path, kind }: LimitsProps) => {
  const { t } = useTranslation('model');
  const inputMode = kind === 'double' ? 'decimal' : 'numeric';
  const number = (key: 'min' | 'max' | 'step', example: string) => (
    <TextField
      path={`${path}.${key}`}
      label={t(key)}
      inputMode={inputMode}
      placeholder={kind === 'double' ? `${example}.00` : example}
    />
  );
  return (
    <div className="dc-fn-row">
      {number('min', '0')}
      {number('max', '100')}
      {number('step', '1')}
      <TextField path={`${path}.unit`} label={t('unit')} placeholder="°C" />
    </div>
  );
};

const BooleanTexts = ({ path }: { path: string }) => {
  const { t } = useTranslation('model');
  return (
    <div className="dc-fn-row">
      <TextField path={`${path}.trueText`} label={t('trueText')} />
      <TextField path={`${path}.falseText`} label={t('falseText')} />
    </div>
  );
};

type KindProps = { path: string; kind: DataTypeKind; depth: number };

const KindFields = ({ path, kind, depth }: KindProps) => {
  const { t } = useTranslation('model');
  switch (kind) {
    case 'integer':
    case 'long':
    case 'double':
      return <Limits path={path} kind={kind} />;
    case 'enum':
      return <EnumItems path={`${path}.items`} />;
    case 'boolean':
      return <BooleanTexts path={path} />;
    case 'string':
      return <TextField path={`${path}.length`} label={t('length')} inputMode="numeric" required />;
    case 'json':
      return <ParamList path={`${path}.fields`} list="fields" depth={depth + 1} TypeFields={DataTypeFields} />;
    case 'array':
      return (
        <>
          <TextField path={`${path}.count`} label={t('count')} inputMode="numeric" required />
          <div className="dc-fn-element">
            <DataTypeFields path={`${path}.element`} label={t('elementType')} depth={depth + 1} />
          </div>
        </>
      );
  }
};

/** Adds a first empty item or field to a new kind, so that the user need not press "add" first. */
const withFirstEntry = (type: FormType, kind: DataTypeKind): FormType => ({
  ...type,
  type: kind,
  ...(kind === 'enum' && type.items.length === 0 ? { items: [blankItem()] } : {}),
  ...(kind === 'json' && type.fields.length === 0 ? { fields: [blankParam()] } : {}),
  ...(kind === 'array' && type.element === null ? { element: blankType() } : {}),
});

/** Fields of a data type and its limits. Objects and arrays nest data types up to the depth of the contract. */
export const DataTypeFields = memo(({ path, label, depth }: TypeFieldsProps) => {
  const { t } = useTranslation('model');
  const kind = useForm((state) => (valueAt(state.form, path) as FormType | undefined)?.type ?? 'integer');
  const change = useForm((state) => state.change);
  const setOpen = useForm((state) => state.setOpen);
  const choose = (chosen: string) =>
    change<FormType>(path, (type) => {
      const next = withFirstEntry(type, chosen as DataTypeKind);
      for (const field of next.fields) if (field.identifier === '') setOpen(field.key, true);
      return next;
    });
  const deepest = depth >= DEPTH_MAX;
  const options = dataTypeKinds.map((value) => ({
    value,
    label: t(value),
    disabled: deepest && (value === 'json' || value === 'array'),
  }));
  return (
    <div className="dc-fn-type">
      <ChoiceField path={`${path}.type`} label={label} options={options} onChosen={choose} />
      <KindFields path={path} kind={kind} depth={depth} />
    </div>
  );
});
