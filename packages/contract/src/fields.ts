import { z } from 'zod';
import type { FieldTextKey } from './field-texts.ts';

const CHINESE = '\\u3400-\\u4dbf\\u4e00-\\u9fff';

const says = (key: FieldTextKey): { error: FieldTextKey } => ({ error: key });

/** An empty required field says so, whatever its rule is; the rule speaks for what is there. */
const text = () => z.string().min(1, { error: 'REQUIRED', abort: true });
const pattern = (regex: RegExp, key: FieldTextKey) => text().regex(regex, says(key));

// Inputs arrive as JSON or as a form. z.coerce reads '' as 0 and 'false' as true, so forms have their own readers.

const readInt = (value: unknown): unknown =>
  typeof value === 'string' && /^-?\d{1,15}$/.test(value.trim()) ? Number(value) : value;

/** A whole number, as a JSON number or a form's digits. */
export const formInt = (min: number, max: number) =>
  z.pipe(
    z.transform<number, unknown>(readInt),
    z.int(says('NOT_A_NUMBER')).min(min, says('TOO_SMALL')).max(max, says('TOO_BIG')),
  );

/** One of a fixed set of numbers, such as 1/0. */
export const formOption = <const Values extends readonly number[]>(values: Values) =>
  z.pipe(z.transform<Values[number], unknown>(readInt), z.literal([...values] as Values[number][]));

/** 1 or 0, as the spec's flags are. */
export const flag = () => formOption([0, 1]);

const readList = (value: unknown): unknown => {
  if (typeof value !== 'string') return value;
  const trimmed = value.trim();
  if (trimmed === '') return [];
  if (trimmed.startsWith('[')) {
    try {
      return JSON.parse(trimmed) as unknown;
    } catch {
      return value;
    }
  }
  return trimmed.split(',').map((part) => part.trim());
};

/** A list: a JSON array, a repeated key, or `a,b,c`. */
export const formList = <Item extends z.ZodType>(item: Item, max: number) =>
  z.pipe(z.transform<z.input<Item>[], unknown>(readList), z.array(item).min(1, says('TOO_FEW')).max(max));

/** PostgreSQL keeps no NUL in a text, and compares with none. */
const withoutNul = (value: string): boolean => !value.includes('\0');

export const id = () => z.string().min(1, says('REQUIRED')).max(64).refine(withoutNul, says('INVALID'));

/** A single id may come as a JSON number too: the spec's own ids are numbers. */
const looseId = z.pipe(
  z.transform<string, unknown>((value) => (typeof value === 'number' ? String(value) : value)),
  id(),
);

/** An object; a form sends it as JSON text. */
export const readJson = (value: unknown): unknown => {
  if (typeof value !== 'string') return value;
  try {
    return JSON.parse(value) as unknown;
  } catch {
    return value;
  }
};

/** The most a batch call takes. */
export const BATCH_MAX = 100;
export const idList = () => formList(looseId, BATCH_MAX);
export const menuIds = () => formList(formInt(1, 2147483647), 500);

const ISO_WITH_ZONE = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2}(\.\d{1,9})?)?(Z|[+-]\d{2}:?\d{2})$/;

const readTime = (value: unknown): unknown => {
  if (typeof value === 'number') return value;
  if (typeof value !== 'string') return value;
  if (/^\d{10,16}$/.test(value)) return Number(value);
  // A plus sign that a query string turned into a space is meant as a plus.
  const iso = value.replace(/ (\d{2}:?\d{2})$/, '+$1');
  return ISO_WITH_ZONE.test(iso) ? Date.parse(iso) : value;
};

/** ISO 8601 with a zone, or epoch milliseconds; becomes epoch milliseconds. */
export const time = () =>
  z.pipe(
    z.transform<string | number, unknown>(readTime),
    z.number(says('TIME')).int({ error: 'TIME', abort: true }).min(0, says('TIME')).max(8.64e15, says('TIME')),
  );

/** A search word; surrounding blanks mean nothing. */
export const search = () => z.string().trim().max(100).refine(withoutNul, says('INVALID')).optional();

/** '' in a form means "not given". */
export const blankable = <Schema extends z.ZodType>(schema: Schema) =>
  z
    .pipe(
      z.transform<z.input<Schema> | '', unknown>((value) => (value === '' || value === null ? undefined : value)),
      schema.optional(),
    )
    .optional();

// The spec's rules, section 5, each once.

export const passwordClasses = (value: string): number =>
  [/[0-9]/, /[a-z]/, /[A-Z]/, /[^0-9a-zA-Z]/].filter((kind) => kind.test(value)).length;

export const password = () =>
  text()
    .regex(/^[\x20-\x7e]{8,20}$/, { error: 'PASSWORD', abort: true })
    .refine((value) => passwordClasses(value) >= 2, says('PASSWORD'));

/** Whatever was typed, bounded: an old password may predate today's rules. */
export const passwordAsTyped = () => text().max(200);

export const containsAccount = (value: string, account: string): boolean =>
  account !== '' && value.toLowerCase().includes(account.toLowerCase());

export const code = () => pattern(/^\d{6}$/, 'CODE');
export const account = () => pattern(/^[A-Za-z0-9\-._@]{5,20}$/, 'ACCOUNT');
export const accountAtLogin = () => pattern(/^[A-Za-z0-9\-._@]{1,50}$/, 'ACCOUNT_LOGIN');

export const email = () =>
  text()
    .max(100, { error: 'TOO_LONG', abort: true })
    .regex(
      /^[A-Za-z0-9.!#$%&'*+/=?^_`{|}~-]+@[A-Za-z0-9](?:[A-Za-z0-9-]*[A-Za-z0-9])?(?:\.[A-Za-z0-9](?:[A-Za-z0-9-]*[A-Za-z0-9])?)+$/,
      says('EMAIL'),
    );

export const phone = () => pattern(/^\d{11}$/, 'PHONE');

export const emailOrPhone = () =>
  text().refine(
    (value) => email().safeParse(value).success || phone().safeParse(value).success,
    says('EMAIL_OR_PHONE'),
  );

export const name = () => pattern(new RegExp(`^[${CHINESE}A-Za-z0-9@\\-_()]{1,50}$`), 'NAME');

export const systemName = () => pattern(new RegExp(`^(?! *$)[${CHINESE}A-Za-z0-9@\\-_() ]{1,50}$`), 'SYSTEM_NAME');

// The limit of 6 is meant for Chinese names; a Latin one may have 20.
const PERSON_NAME = new RegExp(
  `^(?!\\d+$)(?:[${CHINESE}A-Za-z0-9·]{2,6}|(?=.{2,20}$)[A-Za-z][A-Za-z0-9.'-]*(?: [A-Za-z0-9.'-]+)*)$`,
);
export const personName = () => pattern(PERSON_NAME, 'PERSON_NAME');

export const roleName = () => pattern(new RegExp(`^[${CHINESE}A-Za-z0-9]{2,20}$`), 'ROLE_NAME');

export const address = () =>
  pattern(new RegExp(`^(?=.{1,60}$)[${CHINESE}A-Za-z0-9]+(?:[ ,.\\-#/]+[${CHINESE}A-Za-z0-9]+)*$`), 'ADDRESS');
