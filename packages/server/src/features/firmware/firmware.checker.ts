import { createHash } from 'node:crypto';
import type { Selectable } from 'kysely';
import type { Db } from '../../db/connect.ts';
import type { FirmwareFileTable } from '../../db/ota-tables.ts';
import { FileLost, type FileStore } from '../../platform/file-store/file-store.ts';
import {
  type FileLease,
  freeLease,
  isUnheld,
  leftUploads,
  renewLease,
  takeLease,
  UNHELD,
  writeHeld,
} from './file-lease.ts';
import { type Fault, HEAD_BYTES, looksLike } from './firmware.formats.ts';

type CheckerDeps = { db: Db; store: FileStore; finish: (fileId: string) => Promise<void> };
type FileRow = Selectable<FirmwareFileTable>;
type Claimed = { row: FileRow; lease: FileLease };
type Found = { fault: Fault; md5: string; sha256: string };

const RENEW_MS = 5_000;
/** Whoever has just let go of an upload says himself that it is over. */
const LEFT_ALONE_MS = 2_000;

/** The hub is stopping, or another one has taken the file: whatever was found is not told. */
class Abandoned extends Error {}

const faulty = (fault: Fault): Found => ({ fault, md5: '', sha256: '' });

/** Looks at files that have arrived: their sums, and whether they are what their names say. */
export const createFirmwareChecker = ({ db, store, finish }: CheckerDeps) => {
  let stopping = false;

  const claim = async (): Promise<Claimed | undefined> => {
    const row = await db
      .selectFrom('firmware_file')
      .selectAll()
      .where('state', '=', 'checking')
      .where(isUnheld(db, 'checking'))
      .orderBy('updated_at')
      .orderBy('file_id')
      .limit(1)
      .executeTakeFirst();
    if (!row) return undefined;
    const lease = await takeLease(db, row.file_id, 'checking');
    return lease ? { row, lease } : claim();
  };

  const holdOf = (taken: FileLease) => {
    let lease = taken;
    let renewedAt = performance.now();
    return {
      lease: () => lease,
      keep: async (): Promise<void> => {
        if (stopping) throw new Abandoned();
        if (performance.now() - renewedAt < RENEW_MS) return;
        renewedAt = performance.now();
        const renewed = await renewLease(db, lease);
        if (!renewed) throw new Abandoned();
        lease = renewed;
      },
    };
  };

  const readThrough = async (row: FileRow, keep: () => Promise<void>): Promise<Found> => {
    const [md5, sha256] = [createHash('md5'), createHash('sha256')];
    let head = Buffer.alloc(0);
    let size = 0;
    for await (const chunk of await store.read(row.file_id)) {
      const bytes = chunk as Buffer;
      md5.update(bytes);
      sha256.update(bytes);
      if (head.length < HEAD_BYTES) head = Buffer.concat([head, bytes.subarray(0, HEAD_BYTES - head.length)]);
      size += bytes.length;
      await keep();
    }
    if (size !== row.size) return faulty('size');
    const sums = { md5: md5.digest('hex'), sha256: sha256.digest('hex') };
    return { fault: looksLike(row.nick_name, head) ? '' : 'format', ...sums };
  };

  const look = async (row: FileRow, keep: () => Promise<void>): Promise<Found> => {
    if (row.size === 0) return faulty('empty');
    const size = await store.sizeOf(row.file_id);
    if (size === undefined) return faulty('lost');
    if (size !== row.size) return faulty('size');
    try {
      return await readThrough(row, keep);
    } catch (error) {
      if (error instanceof FileLost) return faulty('lost');
      throw error;
    }
  };

  const check = async ({ row, lease }: Claimed): Promise<void> => {
    const hold = holdOf(lease);
    try {
      const found = await look(row, hold.keep);
      const state = found.fault === '' ? 'ready' : 'failed';
      await writeHeld(db, hold.lease(), { ...found, ...UNHELD, state, updated_at: Date.now() });
    } catch (error) {
      if (!(error instanceof Abandoned)) throw error;
      await freeLease(db, hold.lease());
    }
  };

  /** Uploads whose last byte was written by somebody who then died, before he could say so. */
  const takeUpFinished = async (): Promise<void> => {
    for (const { size, lease } of await leftUploads(db, LEFT_ALONE_MS)) {
      if ((await store.sizeOf(lease.fileId)) === size) await finish(lease.fileId);
      else await freeLease(db, lease);
    }
  };

  return {
    /** Answers whether it has checked a file: there may be more. */
    async run(): Promise<boolean> {
      await takeUpFinished();
      let checked = false;
      for (let next = await claim(); next && !stopping; next = await claim()) {
        await check(next);
        checked = true;
      }
      return checked;
    },
    stop: (): void => {
      stopping = true;
    },
  };
};
