import { PARAMS_MAX } from '@device-center/contract';
import { Checkbox } from 'antd';
import { ChevronDown, ChevronRight, Plus } from 'lucide-react';
import { type ComponentType, memo, useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from '../ui/button.tsx';
import { EntryTools, movedEntry } from './entry-tools.tsx';
import { ListProblem, TextField } from './form-field.tsx';
import { useForm, useKeys, useProblemWithin, valueAt } from './form-store.ts';
import { blankParam, copyParam, type FormParam } from './function-form.ts';
import { suggestIdentifier } from './suggest.ts';

type ListKind = 'input' | 'output' | 'fields';

export type TypeFieldsProps = { path: string; label: string; depth: number };
/** Passed as a prop, because data type fields contain parameter lists themselves. */
type TypeFields = ComponentType<TypeFieldsProps>;

type ParamFieldsProps = { path: string; depth: number; TypeFields: TypeFields };

const ParamFields = memo(({ path, depth, TypeFields }: ParamFieldsProps) => {
  const { t } = useTranslation('model');
  const required = useForm((state) => valueAt(state.form, `${path}.required`) === true);
  const identifier = useForm((state) => valueAt(state.form, `${path}.identifier`) as string);
  const name = useForm((state) => valueAt(state.form, `${path}.name`) as string);
  const set = useForm((state) => state.set);
  const suggest = (typed: string) => {
    if (identifier === suggestIdentifier(name)) set(`${path}.identifier`, suggestIdentifier(typed));
  };
  return (
    <div className="dc-param-fields">
      <div className="dc-fn-row">
        <TextField path={`${path}.name`} label={t('name')} required onText={suggest} />
        <TextField path={`${path}.identifier`} label={t('identifier')} required mono />
      </div>
      <Checkbox checked={required} onChange={({ target }) => set(`${path}.required`, target.checked)}>
        {t('required')}
      </Checkbox>
      <TypeFields path={`${path}.dataType`} label={t('dataType')} depth={depth} />
    </div>
  );
});

type ParamEntryProps = ParamFieldsProps & {
  index: number;
  last: boolean;
  entry: string;
  onMove: (from: number, to: number) => void;
  onDuplicate: (index: number) => void;
  onRemove: (index: number) => void;
};

/** Collapsed to one line, so that a long list stays readable and fast. */
const ParamEntry = memo((props: ParamEntryProps) => {
  const { path, depth, TypeFields, index, last, entry, onMove, onDuplicate, onRemove } = props;
  const { t } = useTranslation('model');
  const param = useForm((state) => valueAt(state.form, path) as FormParam | undefined);
  const open = useForm((state) => param !== undefined && state.open.has(param.key));
  const setOpen = useForm((state) => state.setOpen);
  const wrong = useProblemWithin(path);
  if (!param) return null;
  const Icon = open ? ChevronDown : ChevronRight;
  return (
    <li className="dc-param" data-wrong={wrong}>
      <div className="dc-param-head">
        <button
          type="button"
          className="dc-param-toggle"
          aria-expanded={open}
          onClick={() => setOpen(param.key, !open)}
        >
          <Icon size={15} aria-hidden />
          <span className="dc-visually-hidden">{entry} </span>
          <strong>{param.name || t('unnamed')}</strong>
          <code className="dc-mono">{param.identifier}</code>
          <span className="dc-muted">{t(param.dataType.type)}</span>
          {!param.required && <span className="dc-tag">{t('optional')}</span>}
          {wrong && <span className="dc-fn-wrong">{t('hasProblem')}</span>}
        </button>
        <EntryTools
          entry={`${entry} ${param.name}`}
          index={index}
          last={last}
          onMove={(to) => onMove(index, to)}
          onDuplicate={() => onDuplicate(index)}
          onRemove={() => onRemove(index)}
        />
      </div>
      {open && <ParamFields path={path} depth={depth} TypeFields={TypeFields} />}
    </li>
  );
});

const useParamChanges = (path: string) => {
  const change = useForm((state) => state.change);
  const setOpen = useForm((state) => state.setOpen);
  return useMemo(() => {
    const to = (next: (params: FormParam[]) => FormParam[]) => change<FormParam[]>(path, next);
    return {
      add: () => {
        const fresh = blankParam();
        to((params) => [...params, fresh]);
        setOpen(fresh.key, true);
      },
      onMove: (from: number, at: number) => to((params) => movedEntry(params, from, at)),
      onRemove: (at: number) => to((params) => params.toSpliced(at, 1)),
      onDuplicate: (at: number) =>
        to((params) => {
          const original = params[at];
          return original ? params.toSpliced(at + 1, 0, copyParam(original, params)) : params;
        }),
    };
  }, [change, setOpen, path]);
};

type ParamListProps = { path: string; list: ListKind; depth: number; TypeFields: TypeFields };

const entryKeys = { input: 'inputParam', output: 'outputParam', fields: 'field' } as const;

/** List of the parameters of a service or event, or of the fields of an object. */
export const ParamList = ({ path, list, depth, TypeFields }: ParamListProps) => {
  const { t } = useTranslation('model');
  const keys = useKeys(path);
  const { add, ...changes } = useParamChanges(path);
  return (
    <fieldset className="dc-fn-list">
      <legend>{t(list)}</legend>
      {keys.length === 0 && <p className="dc-muted">{t('noParams')}</p>}
      <ul>
        {keys.map((key, index) => (
          <ParamEntry
            key={key}
            path={`${path}.${index}`}
            depth={depth}
            TypeFields={TypeFields}
            index={index}
            last={index === keys.length - 1}
            entry={t('entryOf', { list: t(entryKeys[list]), index: index + 1 })}
            {...changes}
          />
        ))}
      </ul>
      <ListProblem path={path} />
      <Button size="small" icon={<Plus size={14} aria-hidden />} disabled={keys.length >= PARAMS_MAX} onClick={add}>
        {t(list === 'fields' ? 'addField' : 'addParam')}
      </Button>
    </fieldset>
  );
};
