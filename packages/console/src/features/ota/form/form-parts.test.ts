import { describe, expect, it } from 'vitest';
import { type CronPattern, convertCron, readCron, writeCron } from './cron-pattern.ts';
import { idsInSheet, idsInText, mergeIds } from './device-ids.ts';
import { nextRuns } from './next-runs.ts';
import { blankTimes, conditionOf, stagesIn, timesOf } from './task-fields.ts';

describe('cron patterns', () => {
  it.each<[string, CronPattern]>([
    ['15 * * * *', { kind: 'hours', every: 1, minute: 15 }],
    ['0 */6 * * *', { kind: 'hours', every: 6, minute: 0 }],
    ['30 2 * * *', { kind: 'daily', hour: 2, minute: 30 }],
    ['0 2 * * 1,3,5', { kind: 'weekly', days: [1, 3, 5], hour: 2, minute: 0 }],
    ['0 4 1,15 * *', { kind: 'monthly', days: [1, 15], hour: 4, minute: 0 }],
  ])('parse %s and write it again', (cron, pattern) => {
    expect(readCron(cron)).toEqual(pattern);
    expect(writeCron(pattern)).toBe(cron);
  });

  it('accept ranges, and Sunday as 7', () => {
    expect(readCron('0 2 * * 1-5')).toMatchObject({ kind: 'weekly', days: [1, 2, 3, 4, 5] });
    expect(readCron('0 2 * * 6,7')).toMatchObject({ kind: 'weekly', days: [0, 6] });
  });

  it.each([
    '',
    'x',
    '0 2 * *',
    '60 2 * * *',
    '0 24 * * *',
    '*/5 * * * *',
    '0 */5 * * *',
    '0 2 * 1 *',
    '0 2 1 * 1',
    '0 2 32 * *',
  ])('do not support %s', (cron) => expect(readCron(cron)).toBeUndefined());

  it('keep the time of day when the kind changes', () => {
    expect(writeCron(convertCron('weekly', readCron('30 3 * * *')))).toBe('30 3 * * 1');
    expect(writeCron(convertCron('daily', undefined))).toBe('0 2 * * *');
  });
});

describe('device ids', () => {
  it('are found with any separator', () => {
    expect(idsInText('a-1, b.2;c:3\n"d_4"，e5、f6\tg7|h8')).toEqual([
      'a-1',
      'b.2',
      'c:3',
      'd_4',
      'e5',
      'f6',
      'g7',
      'h8',
    ]);
    expect(idsInText(`${'x'.repeat(65)} ok`)).toEqual(['ok']);
  });

  it('are read from the column deviceId, or from the first column', () => {
    const exported = '\uFEFFdeviceName,deviceId,mac\r\n"lamp, left",dev-1,\r\nlamp,dev-2,00:11\r\n';
    expect(idsInSheet(exported)).toEqual(['dev-1', 'dev-2']);
    expect(idsInSheet('dev-1\ndev-2;x\n')).toEqual(['dev-1', 'dev-2']);
  });

  it('are kept once, and duplicates are reported', () => {
    expect(mergeIds(['a', 'b'], ['b', 'c', 'c'])).toEqual({ ids: ['a', 'b', 'c'], duplicates: ['b', 'c'] });
  });
});

describe('schedule of a task', () => {
  const now = Date.parse('2026-11-15T10:00:00Z');
  const times = { ...blankTimes(), taskType: 2 as const, timezone: 'UTC' };

  it('has the next five runs within the window, in its time zone', async () => {
    const runs = await nextRuns({ ...times, cron: '0 2 * * *', timezone: 'Asia/Shanghai' }, now);
    expect(runs).toEqual({
      times: ['15', '16', '17', '18', '19'].map((day) => `2026-11-${day}T18:00:00.000Z`),
      problem: '',
    });
    const short = await nextRuns({ ...times, cron: '0 2 * * *', taskEnd: '2026-11-17T02:00:00Z' }, now);
    expect(short.times).toEqual(['2026-11-16T02:00:00.000Z']);
    const later = { ...times, cron: '0 12 * * *', executeNow: 0 as const, taskStart: '2026-11-20T12:00:00.000Z' };
    expect((await nextRuns(later, now)).times[0]).toBe('2026-11-20T12:00:00.000Z');
  });

  it('reports invalid expressions', async () => {
    expect((await nextRuns({ ...times, cron: '0 2 * *' }, now)).problem).toBe('CRON_INVALID');
    expect((await nextRuns({ ...times, cron: '0 0 2 * * *' }, now)).problem).toBe('CRON_INVALID');
    expect((await nextRuns({ ...times, cron: '0 2 31 2 *' }, now)).problem).toBe('CRON_NEVER');
  });

  it('omits hidden fields', () => {
    expect(timesOf({ ...times, executeNow: 1, taskStart: '2026-11-20T12:00:00Z', taskType: 1 })).toMatchObject({
      taskStart: '',
      cron: '',
    });
  });
});

describe('form values', () => {
  it('have no condition until version and devices are selected', () => {
    expect(
      conditionOf({ deviceVersionId: 'v', target: 'versions', versionNumber: [], deviceListId: ['a'] }),
    ).toBeUndefined();
    expect(conditionOf({ deviceVersionId: '', target: 'devices', deviceListId: ['a'] })).toBeUndefined();
    expect(conditionOf({ deviceVersionId: 'v', target: 'devices', versionNumber: ['1'], deviceListId: ['a'] })).toEqual(
      {
        deviceVersionId: 'v',
        appId: '',
        deviceListId: ['a'],
      },
    );
  });

  it('accept stages with any separators', () => {
    expect(stagesIn('5%, 25 % 100')).toEqual([5, 25, 100]);
  });
});
