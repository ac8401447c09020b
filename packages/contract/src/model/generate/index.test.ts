import { describe, expect, it } from 'vitest';
import { lamp } from '../../../test/lamp-model.ts';
import { exportFormats } from '../../http/model.ts';
import { exportModel } from './index.ts';

describe('an export', () => {
  const about = { productId: 'P1a2b3c4', functions: lamp };

  it.each([
    ['json', 'P1a2b3c4.model.json', 'application/json; charset=utf-8', '"format": "device-center-model"'],
    ['tsl', 'P1a2b3c4.tsl.json', 'application/json; charset=utf-8', '"productKey": "P1a2b3c4"'],
    ['jsonSchema', 'P1a2b3c4.schema.json', 'application/schema+json; charset=utf-8', '"title": "智能灯"'],
    ['typescript', 'P1a2b3c4.d.ts', 'text/plain; charset=utf-8', 'export interface P1a2b3c4Properties {'],
    ['cHeader', 'P1a2b3c4.h', 'text/plain; charset=utf-8', '#ifndef P1A2B3C4_MODEL_H'],
  ] as const)('as %s is the file %s', (format, filename, contentType, holds) => {
    const file = exportModel(format, { ...about, productName: '智能灯' });
    expect(file).toMatchObject({ filename, contentType });
    expect(file.text).toContain(holds);
    expect(file.text).toMatch(/[^\n]\n$/);
    expect(file.notes.length > 0).toBe(format === 'tsl');
  });

  it('of every form there is, is ASCII by name', () => {
    for (const format of exportFormats)
      expect(exportModel(format, { ...about, productName: 'Lamp' }).filename).toMatch(/^[\x21-\x7e]+$/);
  });
});
