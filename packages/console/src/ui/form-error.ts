import type { FormInstance } from 'antd';

/** What the hub says no to: a sentence, and the fields that it is about. */
export type Refusal = { message: string; details?: { field: string; message: string }[] };

export const refusalOf = (error: unknown): Refusal =>
  error instanceof Error ? (error as Error & Pick<Refusal, 'details'>) : { message: String(error) };

/** `input[2].dataType.max` of a refusal is a path of the form. */
const pathOf = (field: string): (string | number)[] =>
  [...field.matchAll(/[^.[\]]+/g)].map(([part]) => (/^\d+$/.test(part) ? Number(part) : part));

/** Each sentence stands at its field. */
export const showAtFields = <Values>(form: FormInstance<Values>, { details = [] }: Refusal): void =>
  form.setFields(
    details.map(({ field, message }) => ({ name: pathOf(field), errors: [message] })) as Parameters<
      typeof form.setFields
    >[0],
  );
