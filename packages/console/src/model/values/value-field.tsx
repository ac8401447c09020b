import type { DataType, Param } from '@device-center/contract';
import { Checkbox, Input, Select, Switch } from 'antd';
import { Plus, Trash2 } from 'lucide-react';
import { type ReactNode, useId } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from '../../ui/button.tsx';
import { dataTypeText } from '../function-texts.ts';
import { useProblemAt, useValueForm, type ValuePath } from './value-context.ts';
import { type Draft, draftOf, type FieldDraft, newEntry } from './value-draft.ts';

type DraftOf<Kind extends Draft['kind']> = Draft & { kind: Kind };

type ControlProps<Shown extends Draft = Draft> = {
  type: DataType;
  path: ValuePath;
  label: string;
  draft: Shown;
  onChange: (draft: Draft) => void;
};

type Described = { id: string; 'aria-invalid': boolean; 'aria-describedby': string };

const TextControl = ({
  type,
  path,
  draft,
  onChange,
  described,
}: ControlProps<DraftOf<'text'>> & { described: Described }) => {
  const { t } = useTranslation('model');
  const { disabled, touch } = useValueForm();
  const problem = described['aria-invalid'];
  const shared = { ...described, disabled, status: problem ? ('error' as const) : ('' as const) };
  const change = (text: string) => {
    touch(path);
    onChange({ kind: 'text', text });
  };
  if (type.type === 'enum')
    return (
      <Select<string>
        {...shared}
        className="dc-value-select"
        placeholder={t('choose')}
        showSearch={{ optionFilterProp: 'label' }}
        value={draft.text === '' ? null : draft.text}
        options={type.items.map(({ value, description }) => ({ value, label: `${description} (${value})` }))}
        onChange={change}
      />
    );
  if (type.type === 'string' && type.length > 64)
    return <Input.TextArea {...shared} rows={3} value={draft.text} onChange={(event) => change(event.target.value)} />;
  const numeric = type.type !== 'string';
  return (
    <Input
      {...shared}
      autoComplete="off"
      {...(numeric ? { inputMode: type.type === 'double' ? ('decimal' as const) : ('numeric' as const) } : {})}
      {...('unit' in type && type.unit !== undefined ? { suffix: type.unit } : {})}
      value={draft.text}
      onChange={(event) => change(event.target.value)}
    />
  );
};

const FlagControl = ({
  type,
  draft,
  onChange,
  described,
}: ControlProps<DraftOf<'flag'>> & { described: Described }) => {
  const { t } = useTranslation('model');
  const { disabled } = useValueForm();
  const words = type.type === 'boolean' ? type : {};
  const { trueText = t('yes'), falseText = t('no') } = words as { trueText?: string; falseText?: string };
  return (
    <span className="dc-value-flag">
      <Switch
        id={described.id}
        disabled={disabled}
        checked={draft.on}
        onChange={(on) => onChange({ kind: 'flag', on })}
      />
      <span aria-hidden="true">{draft.on ? trueText : falseText}</span>
    </span>
  );
};

const Problem = ({ id, children }: { id: string; children: string }) => (
  <span id={id} className="dc-fn-problem" role={children === '' ? undefined : 'alert'}>
    {children}
  </span>
);

type GroupProps = { label: ReactNode; path: ValuePath; hint: string; children: ReactNode };

const Group = ({ label, path, hint, children }: GroupProps) => {
  const id = useId();
  const problem = useProblemAt(path);
  return (
    <fieldset className="dc-value-group" aria-describedby={`${id}-problem`}>
      <legend>
        {label} <small>{hint}</small>
      </legend>
      {children}
      <Problem id={`${id}-problem`}>{problem}</Problem>
    </fieldset>
  );
};

const ListControl = ({ type, path, label, draft, onChange }: ControlProps<DraftOf<'list'>>) => {
  const { t } = useTranslation('model');
  const { disabled, touch } = useValueForm();
  if (type.type !== 'array') return null;
  const { entries } = draft;
  const write = (next: typeof entries) => {
    touch(path);
    onChange({ kind: 'list', entries: next });
  };
  return (
    <Group label={label} path={path} hint={t('entriesOf', { count: entries.length, max: type.count })}>
      {entries.map((entry, index) => (
        <div key={entry.key} className="dc-value-entry">
          <ValueField
            type={type.element}
            path={[...path, index]}
            label={t('entry', { index: index + 1 })}
            draft={entry.draft}
            onChange={(changed) =>
              write(entries.map((known) => (known.key === entry.key ? { ...known, draft: changed } : known)))
            }
          />
          <Button
            type="text"
            disabled={disabled}
            aria-label={t('removeNth', { index: index + 1 })}
            icon={<Trash2 size={15} aria-hidden />}
            onClick={() => write(entries.filter(({ key }) => key !== entry.key))}
          />
        </div>
      ))}
      <Button
        size="small"
        disabled={disabled || entries.length >= type.count}
        icon={<Plus size={14} aria-hidden />}
        onClick={() => write([...entries, newEntry(draftOf(type.element))])}
      >
        {t('addEntry')}
      </Button>
    </Group>
  );
};

type ParamFieldsProps = {
  params: readonly Param[];
  path: ValuePath;
  fields: ReadonlyMap<string, FieldDraft>;
  onChange: (fields: ReadonlyMap<string, FieldDraft>) => void;
};

/** Inputs for the parameters of a service or the fields of an object. */
export const ParamFields = ({ params, path, fields, onChange }: ParamFieldsProps) => {
  const { t } = useTranslation('model');
  const { disabled } = useValueForm();
  return params.map(({ identifier, name, dataType, required }) => {
    const field = fields.get(identifier);
    if (!field) return null;
    const write = (change: Partial<FieldDraft>) => onChange(new Map(fields).set(identifier, { ...field, ...change }));
    return (
      <div key={identifier} className="dc-value-param" data-out={!field.included}>
        {!required && (
          <Checkbox
            disabled={disabled}
            checked={field.included}
            aria-label={t('include', { name })}
            onChange={(event) => write({ included: event.target.checked })}
          >
            {field.included ? '' : `${name} · ${t('optional')}`}
          </Checkbox>
        )}
        {field.included && (
          <ValueField
            type={dataType}
            path={[...path, identifier]}
            label={name}
            draft={field.draft}
            onChange={(draft) => write({ draft })}
          />
        )}
      </div>
    );
  });
};

/** An input for any data type. It accepts exactly the values that the model accepts. */
export const ValueField = ({ type, path, label, draft, onChange }: ControlProps) => {
  const id = useId();
  const problem = useProblemAt(path);
  if (draft.kind === 'list') return <ListControl {...{ type, path, label, draft, onChange }} />;
  if (draft.kind === 'fields') {
    if (type.type !== 'json') return null;
    return (
      <Group label={label} path={path} hint="">
        <ParamFields
          params={type.fields}
          path={path}
          fields={draft.fields}
          onChange={(fields) => onChange({ kind: 'fields', fields })}
        />
      </Group>
    );
  }
  const described = { id, 'aria-invalid': problem !== '', 'aria-describedby': `${id}-problem` };
  return (
    <div className="dc-value-field">
      <label htmlFor={id}>
        {label} <small>{dataTypeText(type)}</small>
      </label>
      {draft.kind === 'flag' ? (
        <FlagControl {...{ type, path, label, draft, onChange, described }} />
      ) : (
        <TextControl {...{ type, path, label, draft, onChange, described }} />
      )}
      <Problem id={`${id}-problem`}>{problem}</Problem>
    </div>
  );
};
