import type { Language } from '@device-center/contract';
import type { Db } from '../db/connect.ts';
import { transact } from '../db/errors.ts';
import type { CategoryText } from '../domain/category/categories.ts';
import { columnsOf, type FunctionTexts } from '../domain/model/functions.ts';
import { PLATFORM } from '../domain/tenant/platform-ids.ts';
import { foldCase } from '../platform/fold-case.ts';
import { electricityMeter, environmentSensor, gateway, waterLeak } from './field.ts';
import { airConditioner, camera, doorLock, lighting, socket } from './home.ts';
import type { LibraryCategory, Translate } from './texts.ts';

const categories = [
  lighting,
  socket,
  airConditioner,
  environmentSensor,
  waterLeak,
  electricityMeter,
  doorLock,
  camera,
  gateway,
];

/** The standard categories of a new installation, in one language. */
export const libraryIn = (language: Language): LibraryCategory[] => {
  const translate: Translate = (chinese, english) => (language === 'zh_CN' ? chinese : english);
  return categories.map((category) => category(translate));
};

const insertCategory = async (db: Db, chinese: LibraryCategory, english: LibraryCategory, at: number) => {
  const words: CategoryText = { categoryName: english.categoryName, description: english.description };
  const times = { created_at: at, updated_at: at };
  await db
    .insertInto('category')
    .values({
      category_id: chinese.categoryId,
      tenancy_id: PLATFORM.tenancyId,
      category_name: chinese.categoryName,
      category_name_key: foldCase(chinese.categoryName),
      search_key: foldCase(`${chinese.categoryName} ${english.categoryName}`),
      description: chinese.description,
      english: JSON.stringify(words),
      model_version: 1,
      ...times,
    })
    .execute();
  const rows = chinese.functions.map((entry, index) => {
    const { functionName, description, functionDefinition } = english.functions[index] ?? entry;
    const second: FunctionTexts = { functionName, description, functionDefinition };
    return {
      category_id: chinese.categoryId,
      ...columnsOf({ ...entry, id: `${chinese.categoryId}-${entry.signCode}` }, index),
      search_key: foldCase(`${entry.signCode} ${entry.functionName} ${functionName}`),
      english: JSON.stringify(second),
      ...times,
    };
  });
  await db.insertInto('open_function').values(rows).execute();
};

const SEED = 'standard categories';

/** Inserts the standard categories once: later changes and deletions by operators remain. */
export const seedLibrary = async (db: Db): Promise<void> => {
  await transact(db, async (db) => {
    const now = Date.now();
    const inserted = await db
      .insertInto('seed')
      .values({ seed_name: SEED, created_at: now })
      .onConflict((conflict) => conflict.doNothing())
      .executeTakeFirst();
    if (!inserted.numInsertedOrUpdatedRows) return;
    const english = libraryIn('en_US');
    for (const [index, chinese] of libraryIn('zh_CN').entries()) {
      // Lists show the newest first: a millisecond apart, they appear in the order above.
      const at = now + categories.length - index;
      await insertCategory(db, chinese, english[index] ?? chinese, at);
    }
  });
};
