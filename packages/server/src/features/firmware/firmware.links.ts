import { createHmac, timingSafeEqual } from 'node:crypto';
import { bucketCalls } from '@device-center/contract';
import { z } from 'zod';
import type { SecretBox } from '../../platform/secret-box.ts';

type LinkDeps = {
  secrets: Pick<SecretBox, 'keyFor'>;
  /** Where devices reach the hub; '' where only they know, and the link is one within it. */
  publicUrl: () => string;
  lifeMs: number;
};

/** Which file, for whom, and in which attempt of which upgrade. */
export type Link = { fileId: string; deviceId: string; recordNo: number; attempt: number };

const contents = z.tuple([z.string(), z.string(), z.int(), z.int(), z.int()]);

const parse = (text: string): unknown => {
  try {
    return JSON.parse(Buffer.from(text, 'base64url').toString('utf8'));
  } catch {
    return undefined;
  }
};

/** Links by which one device may fetch one file for a while. They stand in no table: the hub knows its own hand. */
export const createFirmwareLinks = ({ secrets, publicUrl, lifeMs }: LinkDeps) => {
  const key = secrets.keyFor('firmware link');
  const seal = (text: string): Buffer => createHmac('sha256', key).update(text).digest();

  return {
    lifeMs,

    linkFor({ fileId, deviceId, recordNo, attempt }: Link): string {
      const said: z.input<typeof contents> = [fileId, deviceId, recordNo, attempt, Date.now() + lifeMs];
      const text = Buffer.from(JSON.stringify(said)).toString('base64url');
      const link = `${text}.${seal(text).toString('base64url')}`;
      return `${publicUrl()}${bucketCalls.downloadFirmware.path}?link=${link}`;
    },

    /** What a link says; nothing when it is not the hub's own, or its time is over. */
    read(link: string): Link | undefined {
      const [text = '', signature = ''] = link.split('.');
      const [given, right] = [Buffer.from(signature, 'base64url'), seal(text)];
      if (given.length !== right.length || !timingSafeEqual(given, right)) return undefined;
      const said = contents.safeParse(parse(text));
      if (!said.success) return undefined;
      const [fileId, deviceId, recordNo, attempt, until] = said.data;
      return until > Date.now() ? { fileId, deviceId, recordNo, attempt } : undefined;
    },
  };
};

export type FirmwareLinks = ReturnType<typeof createFirmwareLinks>;
