import { z } from 'zod';
import { boundedList } from './bounded.ts';
import { type FieldTextKey, isEmptyInput } from './field-texts.ts';
import { DEVICE_ID } from './mqtt/payloads.ts';

const CHINESE = '\\u3400-\\u4dbf\\u4e00-\\u9fff';

const errorKey = (key: FieldTextKey): { error: FieldTextKey } => ({ error: key });

/** Reports an empty required field as REQUIRED; other rules apply only to non-empty values. */
const text = () => z.string().min(1, { error: 'REQUIRED', abort: true });
const pattern = (regex: RegExp, key: FieldTextKey) => text().regex(regex, errorKey(key));

/** Text that may contain spaces; surrounding ones are trimmed, so that ' A ' and 'A' are the same name. */
export const trimmedText = () => z.string().trim().min(1, { error: 'REQUIRED', abort: true });

/** The same for values that are not text: reports the empty value of a form field as REQUIRED. */
export const saysUnlessEmpty = (key: FieldTextKey) => ({
  error: ({ input }: { input?: unknown }): FieldTextKey => (isEmptyInput(input) ? 'REQUIRED' : key),
});

// Input arrives as JSON or as a form. z.coerce reads '' as 0 and 'false' as true, so forms have their own parsers.

const readInt = (value: unknown): unknown =>
  typeof value === 'string' && /^-?\d{1,15}$/.test(value.trim()) ? Number(value) : value;

/** An integer, as a JSON number or as digits in a form. */
export const formInt = (min: number, max: number) =>
  z.pipe(
    z.transform<number, unknown>(readInt),
    z.int(saysUnlessEmpty('NOT_A_NUMBER')).min(min, errorKey('TOO_SMALL')).max(max, errorKey('TOO_BIG')),
  );

/** One of a fixed set of numbers, such as 1/0. */
export const formOption = <const Values extends readonly number[]>(values: Values) =>
  z.pipe(
    z.transform<Values[number], unknown>(readInt),
    z.literal([...values] as Values[number][], saysUnlessEmpty('NOT_AN_OPTION')),
  );

/** 1 or 0, the specification's representation of flags. */
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
  boundedList(item, { min: 1, max, read: readList });

/** PostgreSQL text cannot contain NUL. */
const withoutNul = (value: string): boolean => !value.includes('\0');

export const id = () => z.string().min(1, errorKey('REQUIRED')).max(64).refine(withoutNul, errorKey('INVALID'));

/** An id, or '' for none. */
export const idOrNone = () => z.string().max(64).refine(withoutNul, errorKey('INVALID'));

/** An id may also be sent as a JSON number: the specification's ids are numbers. */
const looseId = z.pipe(
  z.transform<string, unknown>((value) => (typeof value === 'number' ? String(value) : value)),
  id(),
);

/** Maximum number of ids in a batch call. */
export const BATCH_MAX = 100;
/** A possibly empty list of ids; a form sends '' for none. */
export const idsOrNone = (max: number) => boundedList(looseId, { max, read: readList });
export const idList = () => formList(looseId, BATCH_MAX);
/** A batch of ids with the specification's message for that kind of item. */
export const chosenIds = (none: FieldTextKey, tooMany: FieldTextKey) =>
  boundedList(looseId, { min: 1, tooFew: none, max: BATCH_MAX, tooMany, read: readList });
export const menuIds = () => formList(formInt(1, 2147483647), 500);

const ISO_WITH_ZONE = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2}(\.\d{1,9})?)?(Z|[+-]\d{2}:?\d{2})$/;

const readTime = (value: unknown): unknown => {
  if (typeof value === 'number') return value;
  if (typeof value !== 'string') return value;
  if (/^\d{10,16}$/.test(value)) return Number(value);
  // In a query string, an unescaped plus sign decodes to a space.
  const iso = value.replace(/ (\d{2}:?\d{2})$/, '+$1');
  return ISO_WITH_ZONE.test(iso) ? Date.parse(iso) : value;
};

/** ISO 8601 with a zone, or epoch milliseconds; becomes epoch milliseconds. */
export const time = () =>
  z.pipe(
    z.transform<string | number, unknown>(readTime),
    z
      .number(errorKey('TIME'))
      .int({ error: 'TIME', abort: true })
      .min(0, errorKey('TIME'))
      .max(8.64e15, errorKey('TIME')),
  );

/** A search term; surrounding spaces are trimmed. */
export const search = () => z.string().trim().max(100).refine(withoutNul, errorKey('INVALID')).optional();

/** '' in a form means "not given". */
export const blankable = <Schema extends z.ZodType>(schema: Schema) =>
  z
    .pipe(
      z.transform<z.input<Schema> | '', unknown>((value) => (value === '' || value === null ? undefined : value)),
      schema.optional(),
    )
    .optional();

// The rules of section 5 of the specification.

export const passwordClasses = (value: string): number =>
  [/[0-9]/, /[a-z]/, /[A-Z]/, /[^0-9a-zA-Z]/].filter((kind) => kind.test(value)).length;

export const password = () =>
  text()
    .regex(/^[\x20-\x7e]{8,20}$/, { error: 'PASSWORD', abort: true })
    .refine((value) => passwordClasses(value) >= 2, errorKey('PASSWORD'));

/** Any bounded text: an existing password may predate the current rules. */
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
      errorKey('EMAIL'),
    );

export const phone = () => pattern(/^\d{11}$/, 'PHONE');

export const emailOrPhone = () =>
  text().refine(
    (value) => email().safeParse(value).success || phone().safeParse(value).success,
    errorKey('EMAIL_OR_PHONE'),
  );

export const NAME_MAX = 50;
const IN_NAMES = `${CHINESE}A-Za-z0-9@\\-_()`;
/** Runs of characters that a name cannot contain, for deriving a name from another text. */
export const NOT_IN_NAMES = new RegExp(`[^${IN_NAMES}]+`, 'g');
export const name = () => pattern(new RegExp(`^[${IN_NAMES}]{1,${NAME_MAX}}$`), 'NAME');

export const deviceId = () => pattern(DEVICE_ID, 'DEVICE_ID');
export const mac = () => z.string().regex(/^[A-Za-z0-9:\-.]{0,64}$/, errorKey('MAC'));

export const systemName = () =>
  trimmedText().regex(new RegExp(`^[${CHINESE}A-Za-z0-9@\\-_() ]{1,50}$`), errorKey('SYSTEM_NAME'));

// Letters of any script, separated by spaces, hyphens, apostrophes or dots; may end with a full stop ('Jr.').
const PERSON_NAME = /^(?!\d+$)[\p{L}\d][\p{L}\p{M}\d]*(?:[ \-'’.·]+[\p{L}\p{M}\d]+)*\.?$/u;
const IN_LATIN_NAMES = /^[\p{Script=Latin}\p{M}\d \-'’.·]+$/u;
const PERSON_NAME_MIN = 2;
const PERSON_NAME_MAX = 6;
const LATIN_NAME_MAX = 20;

const isPersonName = (value: string): boolean => {
  // NFC: a letter with a combining accent counts as one character.
  const { length } = [...value.normalize('NFC')];
  const max = IN_LATIN_NAMES.test(value) ? LATIN_NAME_MAX : PERSON_NAME_MAX;
  return length >= PERSON_NAME_MIN && length <= max && PERSON_NAME.test(value);
};
export const personName = () => trimmedText().refine(isPersonName, errorKey('PERSON_NAME'));

export const roleName = () => pattern(new RegExp(`^[${CHINESE}A-Za-z0-9]{2,20}$`), 'ROLE_NAME');

export const address = () =>
  pattern(new RegExp(`^(?=.{1,60}$)[${CHINESE}A-Za-z0-9]+(?:[ ,.\\-#/]+[${CHINESE}A-Za-z0-9]+)*$`), 'ADDRESS');

/** Length of a text in UTF-8 bytes. */
export const utf8Bytes = (value: string): number =>
  [...value].reduce((bytes, character) => {
    const point = character.codePointAt(0) ?? 0;
    if (point < 0x80) return bytes + 1;
    if (point < 0x800) return bytes + 2;
    return bytes + (point < 0x10000 ? 3 : 4);
  }, 0);
export const DESCRIPTION_MAX_BYTES = 100;

/** A description, possibly empty, with a limit in bytes. */
export const description = () =>
  z
    .string()
    .refine((value) => utf8Bytes(value) <= DESCRIPTION_MAX_BYTES, errorKey('DESCRIPTION'))
    // A lone surrogate cannot be encoded in UTF-8 and would be stored as another character.
    .refine((value) => withoutNul(value) && value.isWellFormed(), errorKey('INVALID'));

const CATEGORY_NAME = new RegExp(`^[${CHINESE}A-Za-z0-9_\\-@()]+$`);
const CHINESE_CHARACTER = new RegExp(`[${CHINESE}]`, 'g');
export const CATEGORY_NAME_MIN = 4;
export const CATEGORY_NAME_MAX = 30;

/** Length of a category name, in which a Chinese character counts as two. */
export const categoryNameLength = (value: string): number =>
  value.length + (value.match(CHINESE_CHARACTER) ?? []).length;

export const categoryName = () =>
  text().refine((value) => {
    const length = categoryNameLength(value);
    return CATEGORY_NAME.test(value) && length >= CATEGORY_NAME_MIN && length <= CATEGORY_NAME_MAX;
  }, errorKey('CATEGORY_NAME'));

export const productId = () => pattern(/^[A-Za-z0-9]{1,64}$/, 'PRODUCT_ID');

/** After a valid first character, any visible characters are allowed. */
export const functionName = () =>
  pattern(new RegExp(`^[${CHINESE}A-Za-z0-9][^\\p{C}\\p{Zl}\\p{Zp}]{0,30}$`, 'u'), 'FUNCTION_NAME');

const IDENTIFIER = new RegExp(`^(?:[A-Za-z0-9_]{1,50}|(?=.*[${CHINESE}])[${CHINESE}A-Za-z0-9_]{1,25})$`);

/** Identifier of a parameter. It becomes an object key in messages, so `__proto__` is not allowed. */
export const identifier = () =>
  pattern(IDENTIFIER, 'IDENTIFIER').refine((value) => value !== '__proto__', errorKey('IDENTIFIER_RESERVED'));

const RESERVED: ReadonlySet<string> = new Set(['set', 'get', 'post', 'property', 'event', 'service', 'time', 'value']);

/** Identifier of a function. */
export const signCode = () => identifier().refine((value) => !RESERVED.has(value), errorKey('IDENTIFIER_RESERVED'));

export const VERSION_NUMBER_MAX = 32;
const VERSION_NUMBER = new RegExp(`^(?=.{1,${VERSION_NUMBER_MAX}}$)[A-Za-z0-9]+(?:[._+-][A-Za-z0-9]+)*$`);
/** Firmware version number: letters and digits, separated by dots, dashes, underscores or plus signs. */
export const versionNumber = () => pattern(VERSION_NUMBER, 'VERSION_NUMBER');
