import { setTimeout as pause } from 'node:timers/promises';
import type { Lock, Locker } from '@tus/server';
import type { Db } from '../../db/connect.ts';
import { AppError } from '../../platform/app-error.ts';
import type { Log } from '../../platform/log.ts';
import { type FileLease, leaveUpload, renewLease, takeLease } from './file-lease.ts';

const RENEW_MS = 3_000;
const WAIT_MS = 15_000;
const LOOK_EVERY_MS = 200;

type Holder = { askToLeave: () => unknown; gone: Promise<void> };

/**
 * One request at a time writes to an upload. Within a hub whoever comes later asks the earlier one to leave: its
 * connection is most likely dead. Between hubs the row has a lease.
 */
export const createUploadLocker = (db: Db, log: Log, fileIdOf: (key: string) => string): Locker => {
  const holders = new Map<string, Holder>();

  const waitForLease = async (fileId: string, deadline: number): Promise<FileLease | undefined> => {
    for (;;) {
      const lease = await takeLease(db, fileId, 'uploading');
      if (lease) return lease;
      const row = await db.selectFrom('firmware_file').select('state').where('file_id', '=', fileId).executeTakeFirst();
      if (!row) throw new AppError('FIRMWARE_NOT_FOUND');
      // One that has arrived whole is written to by nobody.
      if (row.state !== 'uploading') return undefined;
      if (Date.now() > deadline) throw new AppError('UNAVAILABLE');
      await pause(LOOK_EVERY_MS);
    }
  };

  const enter = async (fileId: string, signal: AbortSignal, deadline: number): Promise<void> => {
    for (let holder = holders.get(fileId); holder; holder = holders.get(fileId)) {
      if (signal.aborted || Date.now() > deadline) throw new AppError('UNAVAILABLE');
      holder.askToLeave();
      await Promise.race([holder.gone, pause(LOOK_EVERY_MS)]);
    }
  };

  const newLock = (key: string): Lock => {
    const fileId = fileIdOf(key);
    const gone = Promise.withResolvers<void>();
    let held: FileLease | undefined;
    let timer: NodeJS.Timeout | undefined;
    let renewal: Promise<void> = Promise.resolve();

    const renew = async (): Promise<void> => {
      if (!held) return;
      try {
        held = (await renewLease(db, held)) ?? held;
      } catch (error) {
        log.warn({ err: error, fileId }, 'an upload could not be held');
      }
    };
    const leave = (): void => {
      clearInterval(timer);
      holders.delete(fileId);
      gone.resolve();
    };

    return {
      async lock(signal, askToLeave) {
        const deadline = Date.now() + WAIT_MS;
        await enter(fileId, signal, deadline);
        holders.set(fileId, { askToLeave, gone: gone.promise });
        try {
          held = await waitForLease(fileId, deadline);
        } catch (error) {
          leave();
          throw error;
        }
        if (!held) return;
        timer = setInterval(() => {
          renewal = renew();
        }, RENEW_MS);
      },

      async unlock() {
        clearInterval(timer);
        try {
          await renewal;
          if (held) await leaveUpload(db, held);
        } finally {
          leave();
        }
      },
    };
  };
  return { newLock };
};
