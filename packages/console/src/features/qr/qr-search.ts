import { BATCH_MAX } from '@device-center/contract';
import { z } from 'zod';

export const qrParams = z.object({ deviceId: z.string().catch('') });

/** Large enough for more than the maximum of ids, so that the page can report too many instead of truncating. */
const IDS_MAX_LENGTH = 4 * BATCH_MAX * 65;

export const qrSearch = z.object({
  /** Device ids of the label sheet, joined by commas, which ids cannot contain. */
  ids: z.string().max(IDS_MAX_LENGTH).optional().catch(undefined),
  /** Default: the sheet if there are ids, otherwise one code. */
  view: z.enum(['one', 'sheet']).optional().catch(undefined),
});
export type QrSearch = z.output<typeof qrSearch>;
export type QrView = NonNullable<QrSearch['view']>;

/** Parses ids separated by whitespace, commas or semicolons, without duplicates. */
export const readIds = (text: string): string[] => [...new Set(text.split(/[\s,;]+/).filter((id) => id !== ''))];
