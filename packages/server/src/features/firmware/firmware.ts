import type { Db } from '../../db/connect.ts';
import type { FileStore } from '../../platform/file-store/file-store.ts';
import type { Log } from '../../platform/log.ts';
import type { SecretBox } from '../../platform/secret-box.ts';
import { createVersionChanges } from './firmware.changes.ts';
import { createFirmwareChecker } from './firmware.checker.ts';
import { createFirmwareDelivery } from './firmware.delivery.ts';
import { createByteRemover, createFirmwareFiles } from './firmware.files.ts';
import type { FirmwareLinks } from './firmware.links.ts';
import { createVersionQueries } from './firmware.queries.ts';
import { createSigner } from './firmware.signer.ts';
import { createFirmwareSweep } from './firmware.sweep.ts';
import { createUploadLocker } from './firmware.upload-lock.ts';

type FirmwareDeps = {
  db: Db;
  secrets: SecretBox;
  store: FileStore;
  links: FirmwareLinks;
  maxBytes: number;
  log: Log;
};

/** The firmware feature: calls, device endpoints, uploads and background jobs. */
export const createFirmware = ({ db, secrets, store, links, maxBytes, log }: FirmwareDeps) => {
  const signer = createSigner({ db, secrets });
  const { calls, uploads } = createFirmwareFiles({ db, store, maxBytes, log });
  return {
    /** The calls of operators. */
    calls: Object.assign(calls, createVersionQueries({ db }), createVersionChanges({ db, store, signer, log })),
    /** The calls of devices. */
    delivery: createFirmwareDelivery({ db, store, links, signer }),
    uploads,
    locker: createUploadLocker(db, log, store.fileIdOf),
    checker: createFirmwareChecker({ db, store, finish: uploads.finish }),
    sweep: createFirmwareSweep({ db, store, log }),
    removeBytes: createByteRemover(store, log),
  };
};
