import { type ReactNode, useId } from 'react';
import { type FieldControl, fieldControl } from '../../ui/field-control.ts';

type LabelledFieldProps = {
  label: string;
  required?: boolean;
  hint?: ReactNode;
  problem?: string;
  children: (control: FieldControl) => ReactNode;
};

/** Label, input, and error message or hint. */
export const LabelledField = ({ label, required = false, hint, problem = '', children }: LabelledFieldProps) => {
  const id = useId();
  return (
    <div className="dc-qr-field">
      <label htmlFor={id} data-required={required}>
        {label}
      </label>
      {children(fieldControl(id, { required, problem, describedBy: `${id}-words` }))}
      <span id={`${id}-words`} className={problem === '' ? 'dc-muted dc-small' : 'dc-field-error'}>
        {problem === '' ? hint : problem}
      </span>
    </div>
  );
};
