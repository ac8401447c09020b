import { compareVersions } from '@device-center/contract';
import { describe, expect, it } from 'vitest';
import { nextVersion } from './form/next-version.ts';
import { parseFileName } from './form/parse-file-name.ts';
import { rules } from './form/version-fields.tsx';
import { durationText, percentOf, sizeText } from './sizes.ts';
import { createSpeedMeter } from './upload/speed.ts';

describe('nextVersion', () => {
  it.each([
    ['1.2.9', '1.2.10'],
    ['1.0', '1.1'],
    ['7', '8'],
    ['v2.0.0-rc.1', 'v2.0.0-rc.2'],
    ['2026.09', '2026.10'],
    ['1.999999999', '1.1000000000'],
  ])('raises %s to %s', (newest, next) => {
    expect(nextVersion([newest])).toBe(next);
    expect(compareVersions(next, newest)).toBeGreaterThan(0);
  });

  it('returns 1.0.0 without a version, and undefined if no number can be incremented', () => {
    expect(nextVersion([])).toBe('1.0.0');
    expect(nextVersion(['alpha'])).toBeUndefined();
    expect(nextVersion(['9'.repeat(32)])).toBeUndefined();
  });

  it('returns no version that the product has', () => {
    expect(nextVersion(['1.0.1-beta', '1.0.2-beta'])).toBe('1.0.3-beta');
  });
});

describe('parseFileName', () => {
  it.each([
    ['lamp-2.0.0.bin', 'lamp', '2.0.0'],
    ['Smart Lamp_v1.12.tar', 'Smart-Lamp', '1.12'],
    ['路灯-3.1.0-rc1.zip', '路灯', '3.1.0-rc1'],
    ['lamp3.bin', 'lamp3', ''],
    ['lamp.signed.2026.img', 'lamp-signed-2026', ''],
    ['1.0.0.bin', '', '1.0.0'],
    ['firmware', 'firmware', ''],
    ['々-1.0.0.bin', '', '1.0.0'],
    ['灯 💡 lamp.bin', '灯-lamp', ''],
    [`${'x'.repeat(80)}-${'1.'.repeat(20)}1.bin`, 'x'.repeat(50), ''],
  ])('parses %s', (fileName, versionName, versionNumber) => {
    expect(parseFileName(fileName)).toEqual({ versionName, versionNumber });
    if (versionName !== '') expect(rules.versionName.safeParse(versionName).success).toBe(true);
    if (versionNumber !== '') expect(rules.versionNumber.safeParse(versionNumber).success).toBe(true);
  });
});

describe('upload figures', () => {
  it.each([
    [0, '0 B'],
    [1023, '1,023 B'],
    [1536, '1.5 KB'],
    [8 * 1024 * 1024, '8 MB'],
    [2 * 1024 ** 3, '2 GB'],
    [3000 * 1024 ** 3, '2.9 TB'],
    [3000 * 1024 ** 4, '3,000 TB'],
  ])('formats %i bytes as %s', (bytes, text) => expect(sizeText(bytes)).toBe(text));

  it('returns 100 only when everything is sent', () => {
    expect(percentOf(999, 1000)).toBe(99);
    expect(percentOf(1000, 1000)).toBe(100);
    expect(percentOf(0, 0)).toBe(0);
  });

  it.each([
    [0.2, '1 sec'],
    [59, '59 sec'],
    [61, '2 min'],
    [3600, '1 hr'],
    [3900, '1 hr 5 min'],
  ])('formats %d seconds as %s', (seconds, text) => expect(durationText(seconds)).toBe(text));

  it('measures the speed of the last seconds, not of the whole time', () => {
    const speed = createSpeedMeter();
    expect(speed.add(0, 0)).toBeUndefined();
    expect(speed.add(100, 100)).toBeUndefined();
    expect(speed.add(1_000, 1_000)).toBe(1_000);
    for (let second = 2; second <= 20; second++) speed.add(1_000 + (second - 1) * 5_000, second * 1_000);
    expect(speed.add(1_000 + 20 * 5_000, 21_000)).toBe(5_000);
  });

  it('restarts after a pause, and when a chunk is sent again', () => {
    const speed = createSpeedMeter();
    speed.add(0, 0);
    speed.add(5_000, 1_000);
    speed.reset();
    expect(speed.add(5_000, 60_000)).toBeUndefined();
    speed.add(8_000, 61_000);
    expect(speed.add(5_000, 62_000)).toBeUndefined();
  });
});
