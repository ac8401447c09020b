import { createHmac, timingSafeEqual } from 'node:crypto';
import { bucketCalls } from '@device-center/contract';
import { z } from 'zod';
import type { SecretBox } from '../../platform/secret-box.ts';

type LinkDeps = {
  secrets: Pick<SecretBox, 'keyFor'>;
  /** The address at which devices reach the hub; '' where it is not configured: the link is then a bare path. */
  publicUrl: () => string;
  lifeMs: number;
};

/** The content of a download link: a file, the device that may read it, and the attempt of its upgrade. */
export type DownloadLink = { fileId: string; deviceId: string; recordNo: number; attempt: number };

const contentSchema = z.tuple([z.string(), z.string(), z.int(), z.int(), z.int()]);

const parse = (text: string): unknown => {
  try {
    return JSON.parse(Buffer.from(text, 'base64url').toString('utf8'));
  } catch {
    return undefined;
  }
};

/** Links with which one device may download one file until they expire. They are signed, so no table stores them. */
export const createFirmwareLinks = ({ secrets, publicUrl, lifeMs }: LinkDeps) => {
  const key = secrets.keyFor('firmware link');
  const signatureOf = (text: string): Buffer => createHmac('sha256', key).update(text).digest();

  return {
    lifeMs,

    linkFor({ fileId, deviceId, recordNo, attempt }: DownloadLink): string {
      const content: z.input<typeof contentSchema> = [fileId, deviceId, recordNo, attempt, Date.now() + lifeMs];
      const text = Buffer.from(JSON.stringify(content)).toString('base64url');
      const link = `${text}.${signatureOf(text).toString('base64url')}`;
      return `${publicUrl()}${bucketCalls.downloadFirmware.path}?link=${link}`;
    },

    /** The content of a link; undefined where its signature is wrong or it has expired. */
    read(link: string): DownloadLink | undefined {
      const [text = '', signature = ''] = link.split('.');
      const [given, expected] = [Buffer.from(signature, 'base64url'), signatureOf(text)];
      if (given.length !== expected.length || !timingSafeEqual(given, expected)) return undefined;
      const content = contentSchema.safeParse(parse(text));
      if (!content.success) return undefined;
      const [fileId, deviceId, recordNo, attempt, until] = content.data;
      return until > Date.now() ? { fileId, deviceId, recordNo, attempt } : undefined;
    },
  };
};

export type FirmwareLinks = ReturnType<typeof createFirmwareLinks>;
