import { describe, expect, it } from 'vitest';
import { taken } from '../../../test/tsl-fixtures.ts';
import { readModel } from '../model-file.ts';

describe('what breaks our rules', () => {
  const withType = (type: string, specs: unknown, more: object = {}) => ({
    properties: [{ identifier: 'a', name: 'A', accessMode: 'r', dataType: { type, specs }, ...more }],
  });
  const typeOf = (tsl: unknown) => {
    const { functions, notes } = taken(tsl);
    const [entry] = functions;
    return { type: entry?.functionType === 1 && entry.functionDefinition.dataType, notes: notes.length };
  };

  it.each<[string, unknown, object, number]>([
    ['int', { min: '-3000000000', max: '3000000000' }, { type: 'integer', min: -2147483648, max: 2147483647 }, 2],
    ['int', { min: '0.5', max: '9.5', step: '0.1' }, { type: 'integer', min: 0, max: 10, step: 1 }, 3],
    ['int', { min: 1, max: 5, step: '10' }, { type: 'integer', min: 1, max: 5 }, 1],
    ['int', { min: '', max: null }, { type: 'integer' }, 0],
    ['double', { min: '0.1', max: '0.3', step: '0.2' }, { type: 'double', min: 0.1, max: 0.3, step: 0.2 }, 0],
    ['float', { min: '-0', max: '1E2', step: '.5' }, { type: 'double', min: 0, max: 100, step: 0.5 }, 0],
    ['float', { unit: `${'x'.repeat(30)}` }, { type: 'double', unit: 'x'.repeat(20) }, 1],
    ['float', { unit: '\u200b' }, { type: 'double' }, 1],
    ['text', {}, { type: 'string', length: 10240 }, 1],
    ['text', { length: '99999' }, { type: 'string', length: 10240 }, 1],
    ['bool', { '0': '不到十个字', '1': '这一段文字超过了十个字' }, { trueText: '这一段文字超过了十个' }, 1],
    ['enum', { '0': '!!!', a: 'b' }, { items: [{ value: '0', description: '0' }, expect.anything()] }, 1],
    ['enum', { 'a-b': 'x' }, { items: [{ value: 'ab', description: 'x' }] }, 1],
    ['array', { size: '1000', item: { type: 'int' } }, { count: 512 }, 1],
  ])('is adapted with a note: %s %j', (type, specs, expected, count) => {
    expect(typeOf(withType(type, specs))).toMatchObject({ type: expected, notes: count });
  });

  it.each([
    ['#温度', '温度'],
    ['a\u0000b', 'ab'],
    ['\u202e!', 'a'],
    ['n'.repeat(40), 'n'.repeat(31)],
  ])('the name %j becomes %j', (name, expected) => {
    const { functions, notes } = taken(withType('int', {}, { name }));
    expect(functions[0]?.functionName).toBe(expected);
    expect(notes.map(({ place }) => place)).toEqual(['properties[0].name']);
  });

  it('a description is cut between characters', () => {
    const { functions, notes } = taken(withType('int', {}, { desc: '长'.repeat(40) }));
    expect(functions[0]?.description).toBe('长'.repeat(33));
    expect(notes.map(({ place }) => place)).toEqual(['properties[0].desc']);
  });

  it.each<[string, unknown, string]>([
    ['a reserved identifier', { ...withType('int', {}, { identifier: 'time' }) }, 'functions[0].signCode'],
    ['an identifier with a dot', { ...withType('int', {}, { identifier: 'a.b' }) }, 'functions[0].signCode'],
    ['no identifier', { ...withType('int', {}, { identifier: undefined }) }, 'functions[0].signCode'],
    ['a type that there is not', withType('blob', {}), 'functions[0].functionDefinition.dataType.type'],
    ['a limit that is no number', withType('int', { min: 'low' }), 'functions[0].functionDefinition.dataType.min'],
    ['min above max', withType('int', { min: '2', max: '1' }), 'functions[0].functionDefinition.dataType.max'],
    ['no items', withType('enum', {}), 'functions[0].functionDefinition.dataType.items'],
    [
      'values that would become one',
      withType('enum', { a: 'x', '-a': 'y', na: 'z' }),
      'functions[0].functionDefinition.dataType.items[1].value',
    ],
    [
      'an access that there is not',
      withType('int', {}, { accessMode: 'x' }),
      'functions[0].functionDefinition.accessMode',
    ],
    ['a list that is none', { properties: 'x' }, 'functions[0]'],
    ['an entry that is none', { properties: [1] }, 'functions[0]'],
    [
      "Alibaba's word with a method of its own",
      { events: [{ identifier: 'post', name: 'a', type: 'info', method: 'thing.event.post.post' }] },
      'functions[0].signCode',
    ],
  ])('is refused at its place: %s', (_what, tsl, field) => {
    const read = readModel(tsl, 'en_US');
    expect(read.ok ? [] : read.problems.map((problem) => problem.field)).toEqual([field]);
  });
});
