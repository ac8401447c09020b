import { createHash } from 'node:crypto';
import type { Selectable } from 'kysely';
import type { Db } from '../../db/connect.ts';
import type { FirmwareFileTable } from '../../db/hub-tables.ts';
import { FileMissingError, type FileStore } from '../../platform/file-store/file-store.ts';
import {
  acquireFileLease,
  type FileLease,
  interruptedUploads,
  isFileLeaseFree,
  NO_LEASE,
  releaseFileLease,
  renewFileLease,
  writeWithLease,
} from './file-lease.ts';
import { type Fault, HEAD_BYTES, matchesExtension } from './firmware.formats.ts';

type CheckerDeps = { db: Db; store: FileStore; finish: (fileId: string) => Promise<void> };
type FileRow = Selectable<FirmwareFileTable>;
type ClaimedFile = { row: FileRow; lease: FileLease };
type CheckResult = { fault: Fault; md5: string; sha256: string };

const RENEW_MS = 5_000;
/** A request that has just ended normally finishes its upload itself; only older ones were interrupted. */
const INTERRUPTED_AFTER_MS = 2_000;

/** The hub is stopping, or another hub has acquired the lease: the result of the check is discarded. */
class CheckAborted extends Error {}

const failedCheck = (fault: Fault): CheckResult => ({ fault, md5: '', sha256: '' });

/** Checks uploaded files: computes their digests and compares their content with their extension. */
export const createFirmwareChecker = ({ db, store, finish }: CheckerDeps) => {
  let stopping = false;

  const claim = async (): Promise<ClaimedFile | undefined> => {
    const row = await db
      .selectFrom('firmware_file')
      .selectAll()
      .where('state', '=', 'checking')
      .where(isFileLeaseFree(db, 'checking'))
      .orderBy('updated_at')
      .orderBy('file_id')
      .limit(1)
      .executeTakeFirst();
    if (!row) return undefined;
    const lease = await acquireFileLease(db, row.file_id, 'checking');
    return lease ? { row, lease } : claim();
  };

  const createLeaseRenewer = (acquired: FileLease) => {
    let lease = acquired;
    let renewedAt = performance.now();
    return {
      lease: () => lease,
      renewIfDue: async (): Promise<void> => {
        if (stopping) throw new CheckAborted();
        if (performance.now() - renewedAt < RENEW_MS) return;
        renewedAt = performance.now();
        const renewed = await renewFileLease(db, lease);
        if (!renewed) throw new CheckAborted();
        lease = renewed;
      },
    };
  };

  const readAndHash = async (row: FileRow, renewIfDue: () => Promise<void>): Promise<CheckResult> => {
    const [md5, sha256] = [createHash('md5'), createHash('sha256')];
    let head = Buffer.alloc(0);
    let size = 0;
    for await (const chunk of await store.read(row.file_id)) {
      const bytes = chunk as Buffer;
      md5.update(bytes);
      sha256.update(bytes);
      if (head.length < HEAD_BYTES) head = Buffer.concat([head, bytes.subarray(0, HEAD_BYTES - head.length)]);
      size += bytes.length;
      await renewIfDue();
    }
    if (size !== row.size) return failedCheck('size');
    const sums = { md5: md5.digest('hex'), sha256: sha256.digest('hex') };
    return { fault: matchesExtension(row.nick_name, head) ? '' : 'format', ...sums };
  };

  const inspect = async (row: FileRow, renewIfDue: () => Promise<void>): Promise<CheckResult> => {
    if (row.size === 0) return failedCheck('empty');
    const size = await store.sizeOf(row.file_id);
    if (size === undefined) return failedCheck('lost');
    if (size !== row.size) return failedCheck('size');
    try {
      return await readAndHash(row, renewIfDue);
    } catch (error) {
      if (error instanceof FileMissingError) return failedCheck('lost');
      throw error;
    }
  };

  const check = async ({ row, lease }: ClaimedFile): Promise<void> => {
    const renewer = createLeaseRenewer(lease);
    try {
      const result = await inspect(row, renewer.renewIfDue);
      const state = result.fault === '' ? 'ready' : 'failed';
      await writeWithLease(db, renewer.lease(), { ...result, ...NO_LEASE, state, updated_at: Date.now() });
    } catch (error) {
      if (!(error instanceof CheckAborted)) throw error;
      await releaseFileLease(db, renewer.lease());
    }
  };

  /** Finishes uploads that are complete although the writing hub died before it could finish them. */
  const finishInterrupted = async (): Promise<void> => {
    for (const { size, lease } of await interruptedUploads(db, INTERRUPTED_AFTER_MS)) {
      if ((await store.sizeOf(lease.fileId)) === size) await finish(lease.fileId);
      else await releaseFileLease(db, lease);
    }
  };

  return {
    /** Returns whether it has checked a file, because more may wait then. */
    async run(): Promise<boolean> {
      await finishInterrupted();
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
