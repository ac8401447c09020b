const ESCAPES = /[\p{Cc}\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff]/gu;

const DELETE = 0x7f;
/** Start of Unicode's Control Pictures, one for each C0 control character. */
const PICTURES = 0x2400;

const markOf = (character: string): string => {
  if (character === '\n' || character === '\t') return character;
  const code = character.codePointAt(0) ?? 0;
  if (code === DELETE) return '␡';
  if (code < 0x20) return String.fromCodePoint(PICTURES + code);
  return `⟨U+${code.toString(16).toUpperCase().padStart(4, '0')}⟩`;
};

/**
 * Replaces control and bidirectional formatting characters in text from a device by visible marks: they could reorder
 * the text around them or control a terminal that shows it. Line breaks and tabs stay.
 */
export const visibleText = (text: string): string => text.replace(ESCAPES, markOf);
