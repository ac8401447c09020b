/** Keywords of C and C++, and macros of headers that device code often includes. */
const RESERVED: ReadonlySet<string> = new Set(
  `alignas alignof and and_eq asm atomic_cancel atomic_commit atomic_noexcept auto bitand bitor bool break case catch
  char char8_t char16_t char32_t class co_await co_return co_yield compl complex concept const const_cast consteval
  constexpr constinit continue decltype default delete do double dynamic_cast else enum explicit export extern false
  far float for friend generic goto huge i386 if imaginary inline int interface linux long main mutable namespace near
  new noexcept noreturn not not_eq nullptr operator or or_eq pascal private protected public reflexpr register
  reinterpret_cast requires restrict return short signed sizeof small static static_assert static_cast struct sun
  switch synchronized template this thread_local throw true try typedef typeid typename typeof union unix unsigned
  using vax virtual void volatile wchar_t while xor xor_eq errno stdin stdout stderr assert size_t ptrdiff_t
  NULL EOF TRUE FALSE HIGH LOW INPUT OUTPUT IN OUT ERROR OPTIONAL CONST VOID PI DEC HEX OCT BIN`.split(/\s+/),
);

/** Types and limits of <stdint.h> and similar headers. */
const RESERVED_PATTERN = /^u?int[a-z0-9_]*_(?:t|c|min|max)$|^(?:wchar|wint|size|ptrdiff|sig_atomic)_(?:min|max)$/i;

/** Keeps letters, digits and _; replaces other characters by `u` and their code point. */
export const ascii = (text: string): string =>
  [...text]
    .map((character) =>
      /\w/.test(character) ? character : `u${(character.codePointAt(0) ?? 0).toString(16).padStart(4, '0')}`,
    )
    .join('');

/** A valid name for a struct member. */
export const memberName = (identifier: string): string => {
  const name = ascii(identifier);
  // Names with a leading _ are reserved; a leading digit is invalid.
  if (/^[0-9_]/.test(name)) return `m_${name}`;
  return RESERVED.has(name) || RESERVED_PATTERN.test(name) ? `${name}_` : name;
};

/** Common prefix of all names of a header. */
export const prefixOf = (name: string): string => {
  const plain = ascii(name.replace(/[^\p{L}\p{N}_]+/gu, '_'))
    .replace(/^_+|_+$/g, '')
    .toLowerCase();
  if (plain === '') return 'model';
  return /^(?:[0-9]|(?:uint|sig)$)/.test(plain) || RESERVED.has(plain) ? `model_${plain}` : plain;
};

/** A C string literal. Escapes ?, since two of them start a trigraph. */
export const cString = (text: string): string => `"${text.replace(/["\\?]/g, '\\$&')}"`;

const LOWEST: Record<string, string> = {
  'INT32_C -2147483648': '(-INT32_C(2147483647) - 1)',
  'INT64_C -9223372036854775808': '(-INT64_C(9223372036854775807) - 1)',
};

/** The lowest integer has no literal: the minus sign is an operator on a literal that would overflow. */
export const cInteger = (macro: 'INT32_C' | 'INT64_C', value: number | string): string => {
  const text = String(value);
  const lowest = LOWEST[`${macro} ${text}`];
  if (lowest) return lowest;
  return text.startsWith('-') ? `(-${macro}(${text.slice(1)}))` : `${macro}(${text})`;
};

export const cDouble = (value: number): string => (value < 0 ? `(${value.toFixed(2)})` : value.toFixed(2));
