import { BATCH_MAX } from '@device-center/contract';
import { z } from 'zod';

export const qrParams = z.object({ deviceId: z.string().catch('') });

/** More than a hundred are refused in words, not cut off: there is room for that. */
const IDS_MAX_LENGTH = 4 * BATCH_MAX * 65;

export const qrSearch = z.object({
  /** Of the label sheet, joined by commas, which no id has. */
  ids: z.string().max(IDS_MAX_LENGTH).optional().catch(undefined),
  /** With ids the sheet, else one code, unless said otherwise. */
  view: z.enum(['one', 'sheet']).optional().catch(undefined),
});
export type QrSearch = z.output<typeof qrSearch>;
export type QrView = NonNullable<QrSearch['view']>;

/** As pasted: one a line, or in any other way that keeps them apart; each counts once. */
export const readIds = (text: string): string[] => [...new Set(text.split(/[\s,;]+/).filter((id) => id !== ''))];
