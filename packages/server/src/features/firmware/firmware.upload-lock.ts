import { setTimeout as sleep } from 'node:timers/promises';
import type { Lock, Locker } from '@tus/server';
import type { Db } from '../../db/connect.ts';
import { AppError } from '../../platform/app-error.ts';
import type { Log } from '../../platform/log.ts';
import { acquireFileLease, type FileLease, interruptUpload, renewFileLease } from './file-lease.ts';

const RENEW_MS = 3_000;
const WAIT_MS = 15_000;
const POLL_MS = 200;

type Holder = { requestRelease: () => unknown; released: Promise<void> };

/**
 * One request at a time writes to an upload. Within a hub a later request asks the earlier one to release the lock,
 * because its connection is most likely dead. Between hubs the lease on the file's row decides.
 */
export const createUploadLocker = (db: Db, log: Log, fileIdOf: (key: string) => string): Locker => {
  const holders = new Map<string, Holder>();

  const waitForLease = async (fileId: string, deadline: number): Promise<FileLease | undefined> => {
    for (;;) {
      const lease = await acquireFileLease(db, fileId, 'uploading');
      if (lease) return lease;
      const row = await db.selectFrom('firmware_file').select('state').where('file_id', '=', fileId).executeTakeFirst();
      if (!row) throw new AppError('FIRMWARE_NOT_FOUND');
      // A complete upload is not written any more and needs no lease.
      if (row.state !== 'uploading') return undefined;
      if (Date.now() > deadline) throw new AppError('UNAVAILABLE');
      await sleep(POLL_MS);
    }
  };

  const waitForHolders = async (fileId: string, signal: AbortSignal, deadline: number): Promise<void> => {
    for (let holder = holders.get(fileId); holder; holder = holders.get(fileId)) {
      if (signal.aborted || Date.now() > deadline) throw new AppError('UNAVAILABLE');
      holder.requestRelease();
      await Promise.race([holder.released, sleep(POLL_MS)]);
    }
  };

  const newLock = (key: string): Lock => {
    const fileId = fileIdOf(key);
    const released = Promise.withResolvers<void>();
    let lease: FileLease | undefined;
    let timer: NodeJS.Timeout | undefined;
    let renewal: Promise<void> = Promise.resolve();

    const renew = async (): Promise<void> => {
      if (!lease) return;
      try {
        lease = (await renewFileLease(db, lease)) ?? lease;
      } catch (error) {
        log.warn({ err: error, fileId }, 'upload lease not renewed');
      }
    };
    const release = (): void => {
      clearInterval(timer);
      holders.delete(fileId);
      released.resolve();
    };

    return {
      async lock(signal, requestRelease) {
        const deadline = Date.now() + WAIT_MS;
        await waitForHolders(fileId, signal, deadline);
        holders.set(fileId, { requestRelease, released: released.promise });
        try {
          lease = await waitForLease(fileId, deadline);
        } catch (error) {
          release();
          throw error;
        }
        if (!lease) return;
        timer = setInterval(() => {
          renewal = renew();
        }, RENEW_MS);
      },

      async unlock() {
        clearInterval(timer);
        try {
          await renewal;
          if (lease) await interruptUpload(db, lease);
        } finally {
          release();
        }
      },
    };
  };
  return { newLock };
};
