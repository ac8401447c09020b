export type CaptionLine = { text: string; y: number; fontSize: number; kind: 'name' | 'id' };
export type Caption = { name: string; id: string };

const CHINESE = /[\u2e80-\uffff]|[\u{10000}-\u{10ffff}]/u;
const BROAD = /[mwMW@%&]/;
const CAPITAL = /[A-Z]/;

/** Estimated width in em, rather too wide: real text measurement is not available here. */
const widthOf = (character: string, kind: CaptionLine['kind']): number => {
  if (CHINESE.test(character)) return 1;
  if (kind === 'id') return 0.61;
  if (BROAD.test(character)) return 0.95;
  return CAPITAL.test(character) ? 0.75 : 0.58;
};

/** Wraps a text without truncation. */
const wrap = (text: string, kind: CaptionLine['kind'], ems: number): string[] => {
  const lines: string[] = [];
  let line = '';
  let width = 0;
  for (const character of text) {
    const own = widthOf(character, kind);
    if (line !== '' && width + own > ems) {
      lines.push(line);
      line = '';
      width = 0;
    }
    line += character;
    width += own;
  }
  return line === '' ? lines : [...lines, line];
};

const LINE_HEIGHT = 1.35;
const USED_WIDTH = 0.94;
const FONT_SHARE = 0.07;
const FONT_LEAST = 11;

/** Lines of name and id under a code of this size, and their height. */
export const captionUnder = ({ name, id }: Caption, side: number): { lines: CaptionLine[]; height: number } => {
  const nameSize = Math.max(FONT_LEAST, Math.round(side * FONT_SHARE));
  const idSize = Math.max(FONT_LEAST - 1, Math.round(nameSize * 0.82));
  const parts = [
    { kind: 'name', fontSize: nameSize, text: name === id ? '' : name },
    { kind: 'id', fontSize: idSize, text: id },
  ] as const;
  const lines: CaptionLine[] = [];
  let bottom = 0;
  for (const { kind, fontSize, text } of parts)
    for (const line of wrap(text, kind, (side * USED_WIDTH) / fontSize)) {
      bottom += Math.round(fontSize * LINE_HEIGHT);
      lines.push({ text: line, y: side + bottom - Math.round(fontSize * 0.3), fontSize, kind });
    }
  return { lines, height: bottom + Math.round(idSize * 0.6) };
};
