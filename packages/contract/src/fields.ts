import { z } from 'zod';
import { boundedList } from './bounded.ts';
import { type FieldTextKey, isEmptyInput } from './field-texts.ts';
import { DEVICE_ID } from './mqtt/payloads.ts';

const CHINESE = '\\u3400-\\u4dbf\\u4e00-\\u9fff';

const says = (key: FieldTextKey): { error: FieldTextKey } => ({ error: key });

/** An empty required field says so, whatever its rule is; the rule speaks for what is there. */
const text = () => z.string().min(1, { error: 'REQUIRED', abort: true });
const pattern = (regex: RegExp, key: FieldTextKey) => text().regex(regex, says(key));

/** Where blanks may stand inside, those around mean nothing: ' A ' and 'A' are one name. */
export const trimmedText = () => z.string().trim().min(1, { error: 'REQUIRED', abort: true });

/** The same for what is no text: what a form sends for an empty field says so, not what it should have been. */
export const saysUnlessEmpty = (key: FieldTextKey) => ({
  error: ({ input }: { input?: unknown }): FieldTextKey => (isEmptyInput(input) ? 'REQUIRED' : key),
});

// Inputs arrive as JSON or as a form. z.coerce reads '' as 0 and 'false' as true, so forms have their own readers.

const readInt = (value: unknown): unknown =>
  typeof value === 'string' && /^-?\d{1,15}$/.test(value.trim()) ? Number(value) : value;

/** A whole number, as a JSON number or a form's digits. */
export const formInt = (min: number, max: number) =>
  z.pipe(
    z.transform<number, unknown>(readInt),
    z.int(saysUnlessEmpty('NOT_A_NUMBER')).min(min, says('TOO_SMALL')).max(max, says('TOO_BIG')),
  );

/** One of a fixed set of numbers, such as 1/0. */
export const formOption = <const Values extends readonly number[]>(values: Values) =>
  z.pipe(
    z.transform<Values[number], unknown>(readInt),
    z.literal([...values] as Values[number][], saysUnlessEmpty('NOT_AN_OPTION')),
  );

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
  boundedList(item, { min: 1, max, read: readList });

/** PostgreSQL keeps no NUL in a text, and compares with none. */
const withoutNul = (value: string): boolean => !value.includes('\0');

export const id = () => z.string().min(1, says('REQUIRED')).max(64).refine(withoutNul, says('INVALID'));

/** An id, or '' for none. */
export const idOrNone = () => z.string().max(64).refine(withoutNul, says('INVALID'));

/** A single id may come as a JSON number too: the spec's own ids are numbers. */
const looseId = z.pipe(
  z.transform<string, unknown>((value) => (typeof value === 'number' ? String(value) : value)),
  id(),
);

/** The most a batch call takes. */
export const BATCH_MAX = 100;
/** Ids that may be none; a form sends '' for none. */
export const idsOrNone = (max: number) => boundedList(looseId, { max, read: readList });
export const idList = () => formList(looseId, BATCH_MAX);
/** A batch that names what was to be chosen, as the spec's messages do. */
export const chosenIds = (none: FieldTextKey, tooMany: FieldTextKey) =>
  boundedList(looseId, { min: 1, tooFew: none, max: BATCH_MAX, tooMany, read: readList });
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

export const NAME_MAX = 50;
const IN_NAMES = `${CHINESE}A-Za-z0-9@\\-_()`;
/** Whatever stands in a row and cannot be in a name, for those who make a name of another text. */
export const NOT_IN_NAMES = new RegExp(`[^${IN_NAMES}]+`, 'g');
export const name = () => pattern(new RegExp(`^[${IN_NAMES}]{1,${NAME_MAX}}$`), 'NAME');

export const deviceId = () => pattern(DEVICE_ID, 'DEVICE_ID');
export const mac = () => z.string().regex(/^[A-Za-z0-9:\-.]{0,64}$/, says('MAC'));

export const systemName = () =>
  trimmedText().regex(new RegExp(`^[${CHINESE}A-Za-z0-9@\\-_() ]{1,50}$`), says('SYSTEM_NAME'));

// Letters of any script, with blanks, hyphens, apostrophes and dots between them; a full stop may end it ('Jr.').
const PERSON_NAME = /^(?!\d+$)[\p{L}\d][\p{L}\p{M}\d]*(?:[ \-'’.·]+[\p{L}\p{M}\d]+)*\.?$/u;
const IN_LATIN_NAMES = /^[\p{Script=Latin}\p{M}\d \-'’.·]+$/u;
const PERSON_NAME_MIN = 2;
const PERSON_NAME_MAX = 6;
const LATIN_NAME_MAX = 20;

const isPersonName = (value: string): boolean => {
  // A letter with its accent is one character, however it was typed.
  const { length } = [...value.normalize('NFC')];
  const max = IN_LATIN_NAMES.test(value) ? LATIN_NAME_MAX : PERSON_NAME_MAX;
  return length >= PERSON_NAME_MIN && length <= max && PERSON_NAME.test(value);
};
export const personName = () => trimmedText().refine(isPersonName, says('PERSON_NAME'));

export const roleName = () => pattern(new RegExp(`^[${CHINESE}A-Za-z0-9]{2,20}$`), 'ROLE_NAME');

export const address = () =>
  pattern(new RegExp(`^(?=.{1,60}$)[${CHINESE}A-Za-z0-9]+(?:[ ,.\\-#/]+[${CHINESE}A-Za-z0-9]+)*$`), 'ADDRESS');

/** How many bytes a text is in UTF-8. */
export const utf8Bytes = (value: string): number =>
  [...value].reduce((bytes, character) => {
    const point = character.codePointAt(0) ?? 0;
    if (point < 0x80) return bytes + 1;
    if (point < 0x800) return bytes + 2;
    return bytes + (point < 0x10000 ? 3 : 4);
  }, 0);
export const DESCRIPTION_MAX_BYTES = 100;

/** May be empty; the limit is in bytes. */
export const description = () =>
  z
    .string()
    .refine((value) => utf8Bytes(value) <= DESCRIPTION_MAX_BYTES, says('DESCRIPTION'))
    // Half a character cannot be written down, and would read back as another text.
    .refine((value) => withoutNul(value) && value.isWellFormed(), says('INVALID'));

const CATEGORY_NAME = new RegExp(`^[${CHINESE}A-Za-z0-9_\\-@()]+$`);
const CHINESE_CHARACTER = new RegExp(`[${CHINESE}]`, 'g');
export const CATEGORY_NAME_MIN = 4;
export const CATEGORY_NAME_MAX = 30;

/** How long a category's name counts: a Chinese character is two. */
export const categoryNameLength = (value: string): number =>
  value.length + (value.match(CHINESE_CHARACTER) ?? []).length;

export const categoryName = () =>
  text().refine((value) => {
    const length = categoryNameLength(value);
    return CATEGORY_NAME.test(value) && length >= CATEGORY_NAME_MIN && length <= CATEGORY_NAME_MAX;
  }, says('CATEGORY_NAME'));

export const productId = () => pattern(/^[A-Za-z0-9]{1,64}$/, 'PRODUCT_ID');

/** What begins well may go on with anything that can be seen. */
export const functionName = () =>
  pattern(new RegExp(`^[${CHINESE}A-Za-z0-9][^\\p{C}\\p{Zl}\\p{Zp}]{0,30}$`, 'u'), 'FUNCTION_NAME');

const IDENTIFIER = new RegExp(`^(?:[A-Za-z0-9_]{1,50}|(?=.*[${CHINESE}])[${CHINESE}A-Za-z0-9_]{1,25})$`);

/** Of a parameter. It becomes the key of an object on the wire, and this one key is not like the others. */
export const identifier = () =>
  pattern(IDENTIFIER, 'IDENTIFIER').refine((value) => value !== '__proto__', says('IDENTIFIER_RESERVED'));

const RESERVED: ReadonlySet<string> = new Set(['set', 'get', 'post', 'property', 'event', 'service', 'time', 'value']);

/** Of a function. */
export const signCode = () => identifier().refine((value) => !RESERVED.has(value), says('IDENTIFIER_RESERVED'));

export const VERSION_NUMBER_MAX = 32;
const VERSION_NUMBER = new RegExp(`^(?=.{1,${VERSION_NUMBER_MAX}}$)[A-Za-z0-9]+(?:[._+-][A-Za-z0-9]+)*$`);
/** Of firmware: letters and digits, with dots, dashes, underscores or plus signs between them. */
export const versionNumber = () => pattern(VERSION_NUMBER, 'VERSION_NUMBER');
