import { type ReactNode, useId } from 'react';

type ControlProps = {
  id: string;
  'aria-required': boolean;
  'aria-invalid': boolean;
  'aria-describedby': string;
  status: '' | 'error';
};

type LabelledFieldProps = {
  label: string;
  required?: boolean;
  hint?: ReactNode;
  problem?: string;
  children: (control: ControlProps) => ReactNode;
};

/** Label, control, what is wrong with it or what it is for. */
export const LabelledField = ({ label, required = false, hint, problem = '', children }: LabelledFieldProps) => {
  const id = useId();
  return (
    <div className="dc-qr-field">
      <label htmlFor={id} data-required={required}>
        {label}
      </label>
      {children({
        id,
        'aria-required': required,
        'aria-invalid': problem !== '',
        'aria-describedby': `${id}-words`,
        status: problem === '' ? '' : 'error',
      })}
      <span id={`${id}-words`} className={problem === '' ? 'dc-muted dc-small' : 'dc-field-error'}>
        {problem === '' ? hint : problem}
      </span>
    </div>
  );
};
