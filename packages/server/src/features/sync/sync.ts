import { deviceTakeoverCalls, productTakeoverCalls, syncCalls, syncDeliveryCalls } from '@device-center/contract';
import type { Db, RecordDb } from '../../db/connect.ts';
import { installationIdOf } from '../../domain/sync/installation.ts';
import { requireApiKey } from '../../domain/user/api-keys.ts';
import type { Mount } from '../../http/mount.ts';
import { IDLE_MS } from '../../platform/jobs.ts';
import type { Log } from '../../platform/log.ts';
import type { Outbound } from '../../platform/outbound/outbound.ts';
import type { SecretBox } from '../../platform/secret-box.ts';
import { createReceiver } from './receive.service.ts';
import { createTakeover } from './receive.takeover.ts';
import { createCheck } from './sync.check.ts';
import { createComparison } from './sync.compare.ts';
import { createDelivery } from './sync.deliver.ts';
import { createItems } from './sync.items.ts';
import { createPreview } from './sync.preview.ts';
import { createSyncRecords } from './sync.records.ts';
import { createSender } from './sync.sender.ts';
import { createSyncService } from './sync.service.ts';

type Deps = {
  db: Db;
  records: RecordDb;
  secrets: SecretBox;
  outbound: Pick<Outbound, 'requestHttp' | 'openSocket'>;
  settings: { SYNC_COMPARE_EVERY: number };
  log: Log;
  mount: Mount;
};

/** Synchronises products and devices with other installations. */
export const createSync = async ({ db, records: history, secrets, outbound, settings, log, mount }: Deps) => {
  const installationId = await installationIdOf(db);
  const items = createItems({ db, records: history, installationId });
  const delivery = createDelivery({ outbound, installationId });
  const records = createSyncRecords({ db, secrets });
  const sender = createSender({ db, secrets, delivery, items, records, log });
  const everyMs = settings.SYNC_COMPARE_EVERY;
  const check = createCheck({ db, secrets, installationId, delivery, records, log, everyMs });
  const preview = createPreview({ db, secrets, items, delivery, check });
  mount('sync', syncCalls, createSyncService({ db, items, preview, records, check }));
  mount('bucket', syncDeliveryCalls, createReceiver({ db, records: history, secrets, items, installationId }), {
    authorize: ({ token }) => requireApiKey(db, token, 'sync'),
  });
  const takeover = createTakeover({ db });
  mount('product', productTakeoverCalls, takeover);
  mount('device', deviceTakeoverCalls, takeover);
  return {
    jobs: [
      { name: 'update sync records', everyMs: 1_000, idleMs: IDLE_MS, run: records.updateAll },
      { name: 'send sync records', everyMs: 500, idleMs: IDLE_MS, run: sender.send },
      {
        name: 'compare devices',
        everyMs: Math.min(everyMs, 5_000),
        run: createComparison({ db, items, records, everyMs }),
      },
      { name: 'check synchronised items', everyMs: Math.min(everyMs, 5_000), run: check.run },
    ],
    stop: sender.stop,
  };
};
