import { Input, Segmented, Select } from 'antd';
import { type ClipboardEvent, memo, type ReactNode, useId } from 'react';
import { type FieldControl, fieldControl } from '../ui/field-control.ts';
import { useForm, useProblem, valueAt } from './form-store.ts';

type FormFieldProps = {
  path: string;
  label: string;
  required?: boolean | undefined;
  /** Content beside the label, such as a counter. */
  aside?: ReactNode;
  children: (control: FieldControl) => ReactNode;
};

/** Label, control and error message. */
export const FormField = ({ path, label, required = false, aside, children }: FormFieldProps) => {
  const id = useId();
  const problem = useProblem(path);
  return (
    <div className="dc-fn-field" data-place={path}>
      <div className="dc-fn-label">
        <label htmlFor={id} data-required={required}>
          {label}
        </label>
        {aside}
      </div>
      {children(fieldControl(id, { required, problem, describedBy: `${id}-problem` }))}
      <span id={`${id}-problem`} className="dc-fn-problem">
        {problem}
      </span>
    </div>
  );
};

type TextFieldProps = {
  path: string;
  label: string;
  required?: boolean;
  aside?: ReactNode;
  mono?: boolean;
  rows?: number;
  placeholder?: string;
  inputMode?: 'numeric' | 'decimal';
  /** Called in addition to the update of the store, such as for a suggestion in another field. */
  onText?: (text: string) => void;
  onPaste?: (event: ClipboardEvent) => void;
};

const asText = (value: unknown): string => (typeof value === 'string' ? value : '');

/** A text input. The store keeps the text as typed; the contract's schema parses it. */
export const TextField = memo(
  ({ path, label, required, aside, mono = false, rows, onText, ...rest }: TextFieldProps) => {
    const value = useForm((state) => asText(valueAt(state.form, path)));
    const set = useForm((state) => state.set);
    const touch = useForm((state) => state.touch);
    const change = (text: string) => {
      set(path, text);
      onText?.(text);
    };
    const shared = { value, autoComplete: 'off', onBlur: () => touch(path), ...rest };
    return (
      <FormField path={path} label={label} required={required} aside={aside}>
        {(control) =>
          rows === undefined ? (
            <Input
              {...control}
              {...shared}
              className={mono ? 'dc-fn-mono' : ''}
              onChange={({ target }) => change(target.value)}
            />
          ) : (
            <Input.TextArea {...control} {...shared} rows={rows} onChange={({ target }) => change(target.value)} />
          )
        }
      </FormField>
    );
  },
);

type Option = { value: string; label: string; disabled?: boolean };

type ChoiceFieldProps = { path: string; label: string; options: Option[]; onChosen?: (value: string) => void };

/** Up to three options as a segmented control, more as a select. */
export const ChoiceField = ({ path, label, options, onChosen }: ChoiceFieldProps) => {
  const value = useForm((state) => asText(valueAt(state.form, path)));
  const set = useForm((state) => state.set);
  const choose = (chosen: string) => {
    set(path, chosen);
    onChosen?.(chosen);
  };
  if (options.length <= 3)
    return (
      <div className="dc-fn-field">
        <div className="dc-fn-label">{label}</div>
        <Segmented aria-label={label} options={options} value={value} onChange={choose} />
      </div>
    );
  return (
    <FormField path={path} label={label} required>
      {(control) => <Select {...control} options={options} value={value} onChange={choose} />}
    </FormField>
  );
};

/** Error message of a list as a whole. */
export const ListProblem = ({ path }: { path: string }) => {
  const problem = useProblem(path);
  return problem === '' ? null : (
    <p className="dc-fn-problem" data-place={path} data-list-problem>
      {problem}
    </p>
  );
};
