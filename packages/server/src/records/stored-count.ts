import { closeSync, openSync, readFileSync, writeFileSync, writeSync } from 'node:fs';
import type { RecordDb } from '../db/connect.ts';
import type { Log } from '../platform/log.ts';
import { storedCountFile } from './lost-messages.ts';

const WIDTH = 16;

const format = (messages: number): string => `${String(messages).padStart(WIDTH, '0')}\n`;

/** Opens the stored count. A failed write only prevents a later report, never the storing of messages. */
export const openStoredCount = (file: string) => {
  let descriptor: number | undefined;
  try {
    descriptor = openSync(file, 'a+');
    closeSync(descriptor);
    descriptor = openSync(file, 'r+');
  } catch {
    descriptor = undefined;
  }
  return {
    write: (messages: number): void => {
      if (descriptor === undefined) return;
      try {
        writeSync(descriptor, format(messages), 0);
      } catch {}
    },
    close: (): void => {
      if (descriptor !== undefined) closeSync(descriptor);
    },
  };
};

const readStoredCount = (file: string): number => {
  try {
    const text = readFileSync(file, 'utf8');
    return /^\d{16}\n$/.test(text) ? Number(text) : 0;
  } catch {
    return 0;
  }
};

/** Compares the file with the database at startup, before the first write. */
export const reportLostMessages = async (records: RecordDb, dataDir: string, log: Log): Promise<void> => {
  const file = storedCountFile(dataDir);
  const acknowledged = readStoredCount(file);
  const row = await records.selectFrom('stored_total').select('messages').executeTakeFirst();
  const stored = row?.messages ?? 0;
  if (acknowledged <= stored) return;
  const lost = acknowledged - stored;
  await records.insertInto('lost_messages').values({ found_at: Date.now(), messages: lost }).execute();
  writeFileSync(file, format(stored));
  log.error(
    { lost, acknowledged, stored },
    `${lost} acknowledged messages are missing from the records: the database or its WAL was damaged or replaced; restore a backup or let the devices report again`,
  );
};
