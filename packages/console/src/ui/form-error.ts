import type { FormInstance } from 'antd';

/** An error of a submitted form: a message, and messages for single fields. */
export type FormError = { message: string; details?: { field: string; message: string }[] };

export const toFormError = (error: unknown): FormError =>
  error instanceof Error ? (error as Error & Pick<FormError, 'details'>) : { message: String(error) };

/** Converts a field of an error, such as `input[2].dataType.max`, to a path of the form. */
const pathOf = (field: string): (string | number)[] =>
  [...field.matchAll(/[^.[\]]+/g)].map(([part]) => (/^\d+$/.test(part) ? Number(part) : part));

/** Shows each field message at its field. */
export const showFieldErrors = <Values>(form: FormInstance<Values>, { details = [] }: FormError): void =>
  form.setFields(
    details.map(({ field, message }) => ({ name: pathOf(field), errors: [message] })) as Parameters<
      typeof form.setFields
    >[0],
  );
