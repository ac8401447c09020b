import { describe, expect, it } from 'vitest';
import { captionUnder } from './caption.ts';
import { fillContent } from './content.ts';
import { type CodeStyle, type Drawing, drawCode, isDrawingError, SIZE_MAX } from './drawing.ts';
import { capacity, levels } from './encode.ts';
import { columnsThatFit, labelSizes } from './label-paper.ts';
import { readIds } from './qr-search.ts';

const style: CodeStyle = { size: 320, level: 'M', margin: 4, logo: undefined };
const drawn = (content: string, change: Partial<CodeStyle> = {}): Drawing => {
  const drawing = drawCode(content, undefined, { ...style, ...change });
  if (isDrawingError(drawing)) throw new Error(drawing.kind);
  return drawing;
};
/** Left and right edges of the dark modules. */
const edges = ({ path }: Drawing) => {
  const runs = [...path.matchAll(/M(\d+) \d+h(\d+)/g)].map(([, x, width]) => [Number(x), Number(x) + Number(width)]);
  return [Math.min(...runs.map(([left = 0]) => left)), Math.max(...runs.map(([, right = 0]) => right))];
};

describe('fillContent', () => {
  const device = { deviceId: 'd-1', deviceName: '灯 {mac}', productId: 'P1', mac: '' };

  it('replaces placeholders and keeps all other braces', () => {
    expect(fillContent('{deviceId}|{productId}|{mac}|{deviceId}', device)).toBe('d-1|P1||d-1');
    expect(fillContent('{"id":"{deviceId}","x":{}}', device)).toBe('{"id":"d-1","x":{}}');
    expect(fillContent('{deviceSecret} {constructor}', device)).toBe('{deviceSecret} {constructor}');
  });

  it('does not expand placeholders in values', () => expect(fillContent('{deviceName}', device)).toBe('灯 {mac}'));
});

describe('drawCode', () => {
  it('draws exactly the given size in whole pixels with the margin', () => {
    for (const size of [128, 199, 320, 777, 1024])
      for (const margin of [0, 4, 10]) {
        const drawing = drawn('lamp-0001', { size, margin });
        expect([drawing.width, drawing.height]).toEqual([size, size]);
        const [left = 0, right = 0] = edges(drawing);
        // The smallest code has 21 modules.
        const pixels = (right - left) / 21;
        expect(pixels).toBe(Math.floor(size / (21 + 2 * margin)));
        expect(Math.min(left, size - right)).toBeGreaterThanOrEqual(margin * pixels);
        expect(Math.abs(left - (size - right))).toBeLessThanOrEqual(1);
      }
  });

  it.each(levels)('holds exactly the capacity at level %s', (level) => {
    const most = capacity[level];
    expect(drawn('x'.repeat(most), { level, size: SIZE_MAX }).path).not.toBe('');
    const longer = drawCode('x'.repeat(most + 1), undefined, { ...style, level, size: SIZE_MAX });
    expect(longer).toEqual({ kind: 'tooLong', limit: most });
    // A Chinese character is three bytes.
    expect(drawCode('灯'.repeat(Math.floor(most / 3) + 1), undefined, { ...style, level, size: SIZE_MAX })).toEqual({
      kind: 'tooLong',
      limit: most,
    });
  });

  it('returns the smallest sufficient size for a long content', () => {
    const content = 'x'.repeat(1_000);
    const rejected = drawCode(content, undefined, { ...style, size: 128 });
    if (!isDrawingError(rejected) || rejected.kind !== 'tooSmall') throw new Error('was drawn');
    expect(drawn(content, { size: rejected.least }).path).not.toBe('');
    expect(drawCode(content, undefined, { ...style, size: rejected.least - 1 })).toEqual(rejected);
  });

  it('rejects empty content and accepts any other text', () => {
    expect(drawCode('', undefined, style)).toEqual({ kind: 'empty' });
    // A lone surrogate, as at the end of a truncated text.
    expect(drawn('\ud83d').path).not.toBe('');
  });

  it('reserves the middle for a logo, more at higher levels', () => {
    const sides = levels.map((level) => drawn('x'.repeat(60), { level, logo: 'data:,' }).logo?.side ?? 0);
    expect(sides).toEqual([...sides].sort((a, b) => a - b));
    for (const { logo, width } of [drawn('lamp-0001', { logo: 'data:,' })]) {
      const middle = (logo?.place ?? 0) + (logo?.side ?? 0) / 2;
      expect(Math.abs(middle - width / 2)).toBeLessThanOrEqual(1);
    }
  });
});

describe('captionUnder', () => {
  it('wraps without losing text', () => {
    const name = '一号厂房三楼东侧走廊尽头的应急照明灯';
    const id = 'a'.repeat(64);
    const { lines, height } = captionUnder({ name, id }, 128);
    const textOf = (kind: string) =>
      lines
        .filter((line) => line.kind === kind)
        .map(({ text }) => text)
        .join('');
    expect(textOf('name')).toBe(name);
    expect(textOf('id')).toBe(id);
    for (const { text, fontSize, y } of lines) {
      expect(text.length * fontSize * 0.6).toBeLessThanOrEqual(128);
      expect(y).toBeLessThan(128 + height);
    }
  });

  it('omits a name that equals the id', () => {
    expect(captionUnder({ name: 'lamp', id: 'lamp' }, 320).lines.map(({ kind }) => kind)).toEqual(['id']);
  });
});

describe('label sheet', () => {
  it('parses ids with any separators, without duplicates and in order', () => {
    expect(readIds('b\r\na, c;b\n\n  a:1 ')).toEqual(['b', 'a', 'c', 'a:1']);
    expect(readIds(' \n ')).toEqual([]);
  });

  it('limits the columns to the paper width', () => {
    for (const size of labelSizes) {
      const columns = columnsThatFit(size);
      expect(columns * size + (columns - 1) * 4).toBeLessThanOrEqual(190);
      expect((columns + 1) * size + columns * 4).toBeGreaterThan(190);
    }
  });
});
