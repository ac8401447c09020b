const ESCAPES = /[\p{Cc}\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff]/gu;

const DELETE = 0x7f;
/** Unicode has a picture for each of the first control characters. */
const PICTURES = 0x2400;

const markOf = (character: string): string => {
  if (character === '\n' || character === '\t') return character;
  const code = character.codePointAt(0) ?? 0;
  if (code === DELETE) return '␡';
  if (code < 0x20) return String.fromCodePoint(PICTURES + code);
  return `⟨U+${code.toString(16).toUpperCase().padStart(4, '0')}⟩`;
};

/**
 * What a device wrote, with a visible mark in place of each control and direction character: they would turn the text
 * around it, or command the terminal that shows it. Line ends and tabs stay.
 */
export const visibleText = (text: string): string => text.replace(ESCAPES, markOf);
