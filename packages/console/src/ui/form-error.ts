import type { FormInstance } from 'antd';

/** An error of a submitted form: a message, and messages for single fields. */
export type Refusal = { message: string; details?: { field: string; message: string }[] };

export const refusalOf = (error: unknown): Refusal =>
  error instanceof Error ? (error as Error & Pick<Refusal, 'details'>) : { message: String(error) };

/** Converts a field of an error, such as `input[2].dataType.max`, to a path of the form. */
const pathOf = (field: string): (string | number)[] =>
  [...field.matchAll(/[^.[\]]+/g)].map(([part]) => (/^\d+$/.test(part) ? Number(part) : part));

/** Shows each field message at its field. */
export const showAtFields = <Values>(form: FormInstance<Values>, { details = [] }: Refusal): void =>
  form.setFields(
    details.map(({ field, message }) => ({ name: pathOf(field), errors: [message] })) as Parameters<
      typeof form.setFields
    >[0],
  );
