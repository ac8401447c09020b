import { renderHook, waitFor } from '@testing-library/react';
import { afterEach, describe, expect, it } from 'vitest';
import { useCronText } from './cron-texts.ts';

afterEach(() => localStorage.clear());

describe('useCronText', () => {
  it.each([
    ['en_US', '* * * * *', 'Every minute'],
    ['en_US', '15 * * * *', 'At 15 minutes past the hour'],
    ['en_US', '0 2 * * *', 'At 02:00, every day'],
    ['zh_CN', '* * * * *', '每分钟'],
  ])('describes briefly in %s: %s', async (language, cron, words) => {
    localStorage.setItem('language', language);
    const { result } = renderHook(() => useCronText(cron));
    await waitFor(() => expect(result.current).toBe(words));
  });
});
