import { readSettings } from '../../platform/settings.ts';
import { type DemoAccount, seedDemo } from './seed.ts';

/** Makes the demonstration for the supervisor, and tells it the accounts. */

// Without the supervisor nobody would hear of the passwords; what is not committed is not there.
process.on('disconnect', () => process.exit(1));

const tell = (accounts: DemoAccount[]): Promise<void> =>
  new Promise((resolve) => {
    process.send?.(accounts, () => resolve());
  });

try {
  const accounts = await seedDemo(readSettings(process.env), () =>
    process.stdout.write('preparing the demonstration: two companies, 200 devices, 30 days of history\n'),
  );
  await tell(accounts);
  process.exit(0);
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exit(1);
}
