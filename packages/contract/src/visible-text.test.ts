import { describe, expect, it } from 'vitest';
import { visibleText } from './visible-text.ts';

describe('visibleText', () => {
  it.each([
    ['a terminal escape', '\u001b[2Jgone', '␛[2Jgone'],
    ['a carriage return', 'all well\rfailed', 'all well␍failed'],
    ['a C1 control', '\u009b31m', '⟨U+009B⟩31m'],
    ['a direction override', 'exe.\u202etxt', 'exe.⟨U+202E⟩txt'],
    ['an isolate', '\u2066a\u2069', '⟨U+2066⟩a⟨U+2069⟩'],
    ['a zero-width space', 'a\u200bb\ufeff', 'a⟨U+200B⟩b⟨U+FEFF⟩'],
    ['deletion and null', '\u007f\0', '␡␀'],
  ])('marks %s', (_what, text, visible) => expect(visibleText(text)).toBe(visible));

  it('leaves line ends, tabs, every script and joined emoji as they are', () => {
    const text = 'line\n\tnext 温度 23°C مرحبا 👨‍👩‍👧';
    expect(visibleText(text)).toBe(text);
  });
});
