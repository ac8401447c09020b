import { connectBoth } from '../db/connect.ts';
import { createByteRemover } from '../features/firmware/firmware.files.ts';
import { removeFleetFile } from '../library/demo/fleet-file.ts';
import { removeDemo } from '../library/demo/removal.ts';
import { createFileStore } from '../platform/file-store/open-store.ts';
import { createLog } from '../platform/log.ts';
import { readSettings } from '../platform/settings.ts';

/** `npm run remove-demo`: removes all demonstration data, from a running or stopped hub. */
const settings = readSettings(process.env);
const { db, records } = connectBoth(settings);
const { tenancies, users, products, devices } = await removeDemo({
  db,
  records,
  onDisabled: () => removeFleetFile(settings.DATA_DIR),
  removeBytes: createByteRemover(await createFileStore(settings), createLog('remove-demo', settings.LOG_LEVEL)),
});
await db.destroy();
await records.destroy();

process.stdout.write(
  tenancies.length === 0
    ? 'there is no demonstration\n'
    : `removed ${tenancies.join(', ')}: ${devices} devices with their history, ${products} products, ${users} accounts\n`,
);
