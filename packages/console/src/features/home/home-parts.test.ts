import type { FleetCounts } from '@device-center/contract';
import { describe, expect, it } from 'vitest';
import { loadLazyTexts } from '../../i18n/lazy.ts';
import { changeText, countText } from '../../i18n/numbers.ts';
import { operatorZone } from '../../i18n/operator-zone.ts';
import { zoneWords } from './asked.ts';
import { withToday } from './count-series.ts';
import type { FeedItem } from './feed.ts';
import { wordsOf } from './feed-texts.ts';
import { homeSearch } from './home-search.ts';
import { isNextDay } from './use-home-live.ts';

const counts = (messageCount: number, accessCount: number): FleetCounts => ({
  deviceCount: 1,
  messageCount: 100,
  connectedCount: 1,
  onlineCount: 1,
  today: { deviceCount: 0, messageCount, connectedCount: 0, onlineCount: 0, accessCount },
  demonstration: 0,
});

describe('parts of the home page', () => {
  it('lets the last day grow, and never shrink', () => {
    const days = [
      { name: '2026-03-08', count: 7 },
      { name: '2026-03-09', count: 3 },
    ];
    expect(withToday(days, 5).map(({ count }) => count)).toEqual([7, 5]);
    expect(withToday(days, 2).map(({ count }) => count)).toEqual([7, 3]);
    expect(withToday([], 5)).toEqual([]);
  });

  it('knows another day by what is counted in it', () => {
    expect(isNextDay(counts(10, 3), counts(11, 3))).toBe(false);
    expect(isNextDay(counts(10, 3), counts(0, 3))).toBe(true);
    expect(isNextDay(counts(10, 3), counts(10, 0))).toBe(true);
  });

  it('writes numbers as people read them, changes with their sign', () => {
    expect([countText(1_234_567), changeText(12), changeText(-3), changeText(0)]).toEqual([
      '1,234,567',
      '+12',
      '-3',
      '0',
    ]);
  });

  it('names a zone with its distance', () => {
    expect(zoneWords('Asia/Shanghai')).toBe('Asia/Shanghai (UTC+8)');
    expect(zoneWords('UTC')).toBe('UTC');
    expect(zoneWords(operatorZone())).toContain(operatorZone());
  });

  it('takes nonsense in the address for what is usual', () => {
    expect(homeSearch.parse({ scope: '8', what: 'all', view: '', guide: 'yes', tenancyId: '12' })).toEqual({
      scope: '7',
      what: 'messages',
      view: 'chart',
      guide: undefined,
      tenancyId: '12',
    });
    expect(homeSearch.parse({ guide: '1' }).guide).toBe(1);
  });

  it('has words for every reason it knows, and the reason itself for one it does not', async () => {
    await loadLazyTexts('home');
    const presence = (status: 1 | 2 | 3, reason: string): Exclude<FeedItem, { kind: 'gap' }> => ({
      number: 1,
      kind: 'presence',
      data: { deviceId: 'd', deviceName: 'lamp', productName: 'p', online: 2, time: '', status, reason },
    });
    expect(wordsOf(presence(2, 'keepAlive'))).toEqual({
      tone: 'offline',
      said: 'Disconnected',
      detail: 'keep-alive missed',
    });
    expect(wordsOf(presence(3, 'CLOCK')).detail).toBe("The device's clock is more than 5 minutes off");
    expect(wordsOf(presence(2, 'newerThanThis')).detail).toBe('newerThanThis');
  });
});
