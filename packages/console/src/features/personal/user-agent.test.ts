import { describe, expect, it } from 'vitest';
import { parseUserAgent } from './user-agent.ts';

const WEBKIT = 'AppleWebKit/537.36 (KHTML, like Gecko)';

describe('parseUserAgent', () => {
  it.each([
    [
      `Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${WEBKIT} Chrome/140.0.0.0 Safari/537.36`,
      'Chrome 140',
      'Windows',
      'desktop',
    ],
    [
      `Mozilla/5.0 (Windows NT 10.0) ${WEBKIT} Chrome/140.0.0.0 Safari/537.36 Edg/140.0.0.0`,
      'Edge 140',
      'Windows',
      'desktop',
    ],
    ['Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0', 'Firefox 140', 'Linux', 'desktop'],
    [
      'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.1 Safari/605.1.15',
      'Safari 18',
      'macOS',
      'desktop',
    ],
    [
      'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.0 Mobile/15E148 Safari/604.1',
      'Safari 18',
      'iOS',
      'phone',
    ],
    [
      `Mozilla/5.0 (Linux; Android 15; Pixel 9) ${WEBKIT} Chrome/140.0 Mobile Safari/537.36`,
      'Chrome 140',
      'Android',
      'phone',
    ],
    [
      `Mozilla/5.0 (Linux; Android 15; SM-X910) ${WEBKIT} Chrome/140.0 Safari/537.36`,
      'Chrome 140',
      'Android',
      'tablet',
    ],
    [
      `Mozilla/5.0 (Linux; Android 15; V2) ${WEBKIT} Chrome/130.0 Mobile Safari/537.36 MicroMessenger/8.0.50`,
      'WeChat 8',
      'Android',
      'phone',
    ],
    ['curl/8.5.0', 'curl 8', '', 'unknown'],
    ['', '', '', 'unknown'],
  ])('%s', (userAgent, browser, system, kind) => {
    expect(parseUserAgent(userAgent)).toEqual({ browser, system, kind });
  });
});
