import { expect } from 'vitest';
import type { Db } from '../src/db/connect.ts';

export const applicationsNamed = (db: Db, prefix: string) =>
  db.selectFrom('application').selectAll().where('application_name', 'like', `${prefix}%`).execute();

const auditsNamed = (db: Db, prefix: string) =>
  db
    .selectFrom('audit_log')
    .selectAll()
    .where('action', '=', 'application.addApplication')
    .where('target_name', 'like', `${prefix}%`)
    .execute();

/** Expects every confirmed row to exist once, with exactly one audit entry. */
export const expectComplete = async (db: Db, prefix: string, promised: Map<string, string>): Promise<void> => {
  const rows = await applicationsNamed(db, prefix);
  const ids = new Map(rows.map((row) => [row.application_name, row.application_id]));
  expect(ids.size).toBe(rows.length);
  for (const [name, applicationId] of promised) expect([name, ids.get(name)]).toEqual([name, applicationId]);
  const audited = (await auditsNamed(db, prefix)).map((row) => row.target_id);
  expect(audited.sort()).toEqual(rows.map((row) => row.application_id).sort());
};
