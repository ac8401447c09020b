/** What a field's control needs, so that its label, its words and its problem are found with it. */
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
