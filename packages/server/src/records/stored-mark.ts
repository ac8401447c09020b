import { closeSync, openSync, readFileSync, writeFileSync, writeSync } from 'node:fs';
import type { RecordDb } from '../db/connect.ts';
import { markFileOf } from '../db/lost-messages.ts';
import type { Log } from '../platform/log.ts';

const WIDTH = 16;

const inFile = (messages: number): string => `${String(messages).padStart(WIDTH, '0')}\n`;

/** A mark that cannot be written costs a later report, never a message. */
export const openMark = (file: string) => {
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
        writeSync(descriptor, inFile(messages), 0);
      } catch {}
    },
    close: (): void => {
      if (descriptor !== undefined) closeSync(descriptor);
    },
  };
};

const readMark = (file: string): number => {
  try {
    const text = readFileSync(file, 'utf8');
    return /^\d{16}\n$/.test(text) ? Number(text) : 0;
  } catch {
    return 0;
  }
};

/** Compares both at the start of the process that writes, before it writes. */
export const noteLostMessages = async (records: RecordDb, dataDir: string, log: Log): Promise<void> => {
  const file = markFileOf(dataDir);
  const acknowledged = readMark(file);
  const row = await records.selectFrom('stored_total').select('messages').executeTakeFirst();
  const stored = row?.messages ?? 0;
  if (acknowledged <= stored) return;
  const lost = acknowledged - stored;
  await records.insertInto('lost_messages').values({ found_at: Date.now(), messages: lost }).execute();
  writeFileSync(file, inFile(stored));
  log.error(
    { lost, acknowledged, stored },
    `${lost} acknowledged messages are missing from the records: the database or its WAL was damaged or replaced; restore a backup or have the devices report again`,
  );
};
