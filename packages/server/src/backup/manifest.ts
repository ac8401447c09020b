import { createHash } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { BackupError } from './rows.ts';

const FORMAT = 1;
const NAME = 'manifest.json';

/** Path of a file inside the backup; the pattern excludes paths outside of it. */
const file = z.string().regex(/^(?:(?:hub|records|firmware)\/)?[\w-][\w.-]*$/);
const sum = { file, bytes: z.int(), sha256: z.string() };
const migrations = z.array(z.object({ name: z.string(), checksum: z.string() }));

const manifest = z.object({
  format: z.literal(FORMAT),
  /** Version of the hub. */
  version: z.string(),
  madeAt: z.string(),
  engine: z.enum(['sqlite', 'postgres']),
  migrations: z.object({ hub: migrations, records: migrations }),
  tables: z.array(
    z.object({
      place: z.enum(['hub', 'records']),
      table: z.string(),
      columns: z.array(z.string()),
      rows: z.int(),
      ...sum,
    }),
  ),
  /** The key file, if included, and firmware files. */
  files: z.array(z.object(sum)),
  /** Hash of a value derived from the key: it tells whether another key is the same, and reveals nothing else. */
  keyCheck: z.string(),
});
export type Manifest = z.output<typeof manifest>;
export type TablePart = Manifest['tables'][number];
export type FilePart = Manifest['files'][number];

const checksumOf = (text: string): string => createHash('sha256').update(text).digest('hex');

export const writeManifest = async (folder: string, content: Omit<Manifest, 'format'>): Promise<void> => {
  const all: Manifest = { format: FORMAT, ...content };
  const text = JSON.stringify({ sha256: checksumOf(JSON.stringify(all)), manifest: all }, null, 1);
  await writeFile(join(folder, NAME), text, { mode: 0o600, flush: true });
};

const parse = (text: string): unknown => {
  try {
    const { sha256, manifest } = JSON.parse(text) as { sha256: string; manifest: { format?: number } };
    if (sha256 === checksumOf(JSON.stringify(manifest))) return manifest;
  } catch {
    // Reported below, like a wrong checksum.
  }
  throw new BackupError(`the backup is corrupted: ${NAME} does not match its checksum`);
};

export const readManifest = async (folder: string): Promise<Manifest> => {
  const text = await readFile(join(folder, NAME), 'utf8').catch(() => {
    throw new BackupError(`${folder} is not a complete backup: ${NAME} is missing`);
  });
  const content = parse(text) as { format?: number };
  if (Number(content.format) > FORMAT) throw new BackupError('the backup was created by a newer version');
  const { success, data, error } = manifest.safeParse(content);
  if (!success) throw new BackupError(`the backup is corrupted: ${NAME}: ${z.prettifyError(error)}`);
  return data;
};
