import { readSettings } from '../../platform/settings.ts';
import { type DemoAccount, seedDemo } from './seed.ts';

/** Creates the demonstration in a child process of the hub, and sends the accounts to the parent. */

// Without the parent the passwords would be lost; uncommitted rows are rolled back.
process.on('disconnect', () => process.exit(1));

const sendAccounts = (accounts: DemoAccount[]): Promise<void> =>
  new Promise((resolve) => {
    process.send?.(accounts, () => resolve());
  });

try {
  const accounts = await seedDemo(readSettings(process.env), () =>
    process.stdout.write('creating the demonstration: two companies, 200 devices, 30 days of history\n'),
  );
  await sendAccounts(accounts);
  process.exit(0);
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exit(1);
}
