import type { FleetCounts } from '@device-center/contract';
import { describe, expect, it } from 'vitest';
import { loadLazyTexts } from '../../i18n/lazy.ts';
import { changeText, countText } from '../../i18n/numbers.ts';
import { operatorZone } from '../../i18n/operator-zone.ts';
import { withToday } from './count-series.ts';
import type { FeedItem } from './feed.ts';
import { feedTextOf } from './feed-texts.ts';
import { timeZoneText } from './fleet-filter.ts';
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

describe('home page parts', () => {
  it('raises the last day, and never lowers it', () => {
    const days = [
      { name: '2026-03-08', count: 7 },
      { name: '2026-03-09', count: 3 },
    ];
    expect(withToday(days, 5).map(({ count }) => count)).toEqual([7, 5]);
    expect(withToday(days, 2).map(({ count }) => count)).toEqual([7, 3]);
    expect(withToday([], 5)).toEqual([]);
  });

  it('detects a new day by its counts', () => {
    expect(isNextDay(counts(10, 3), counts(11, 3))).toBe(false);
    expect(isNextDay(counts(10, 3), counts(0, 3))).toBe(true);
    expect(isNextDay(counts(10, 3), counts(10, 0))).toBe(true);
  });

  it('formats numbers with separators, and changes with their sign', () => {
    expect([countText(1_234_567), changeText(12), changeText(-3), changeText(0)]).toEqual([
      '1,234,567',
      '+12',
      '-3',
      '0',
    ]);
  });

  it('formats a time zone with its offset', () => {
    expect(timeZoneText('Asia/Shanghai')).toBe('Asia/Shanghai (UTC+8)');
    expect(timeZoneText('UTC')).toBe('UTC');
    expect(timeZoneText(operatorZone())).toContain(operatorZone());
  });

  it('replaces invalid URL parameters by the defaults', () => {
    expect(homeSearch.parse({ scope: '8', what: 'all', view: '', guide: 'yes', tenancyId: '12' })).toEqual({
      scope: '7',
      what: 'messages',
      view: 'chart',
      guide: undefined,
      tenancyId: '12',
    });
    expect(homeSearch.parse({ guide: '1' }).guide).toBe(1);
  });

  it('shows a text for a known reason, and an unknown one as it is', async () => {
    await loadLazyTexts('home');
    const presence = (status: 1 | 2 | 3, reason: string): Exclude<FeedItem, { kind: 'gap' }> => ({
      number: 1,
      kind: 'presence',
      data: { deviceId: 'd', deviceName: 'lamp', productName: 'p', online: 2, time: '', status, reason },
    });
    expect(feedTextOf(presence(2, 'keepAlive'))).toEqual({
      tone: 'offline',
      title: 'Disconnected',
      detail: 'keep-alive missed',
    });
    expect(feedTextOf(presence(3, 'CLOCK')).detail).toBe(
      "The device's clock differs from the platform's by more than 5 minutes",
    );
    expect(feedTextOf(presence(2, 'newerThanThis')).detail).toBe('newerThanThis');
  });
});
