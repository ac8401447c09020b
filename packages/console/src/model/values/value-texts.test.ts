import type { DataType } from '@device-center/contract';
import { expect, it } from 'vitest';
import { hasCurve, valueText } from './value-texts.ts';

const part = (identifier: string, name: string, dataType: DataType) => ({ identifier, name, dataType, required: true });

it('formats an object with the names and units of its fields, and a list by its elements', () => {
  const level: DataType = { type: 'integer', min: 0, max: 100, step: 1, unit: '%' };
  const type: DataType = {
    type: 'json',
    fields: [part('level', 'Level', level), part('on', 'Switched on', { type: 'boolean', trueText: 'yes' })],
  };
  expect(valueText(type, { level: 40, on: true, extra: [1] })).toBe('Level 40 %, Switched on yes, extra [1]');
  expect(valueText({ type: 'array', element: type, count: 2 }, [{ level: 1 }, { level: 2 }])).toBe(
    'Level 1 %, Level 2 %',
  );
  // A value that does not fit its type is shown unchanged.
  expect(valueText(type, 'text')).toBe('text');
});

it('offers curves for numbers and booleans, but not for coordinates', () => {
  const double: DataType = { type: 'double', min: -180, max: 180, step: 0.01 };
  const curves = ['latitude', 'startLongitude', 'gps_lat', 'gpsLng', 'LON', 'flat', 'balloon', 'speed'];
  expect(curves.filter((signCode) => hasCurve(signCode, double))).toEqual(['flat', 'balloon', 'speed']);
  expect(hasCurve('door', { type: 'boolean' })).toBe(true);
  expect(hasCurve('note', { type: 'string', length: 8 })).toBe(false);
});
