/** Props that connect an input to its label, hint and error message. */
export type FieldControl = {
  id: string;
  'aria-required': boolean;
  'aria-invalid': boolean;
  'aria-describedby': string;
  status: '' | 'error';
};

type FieldState = { required: boolean; problem: string; describedBy: string };

export const fieldControl = (id: string, { required, problem, describedBy }: FieldState): FieldControl => ({
  id,
  'aria-required': required,
  'aria-invalid': problem !== '',
  'aria-describedby': describedBy,
  status: problem === '' ? '' : 'error',
});
