import { hash, randomBytes } from 'node:crypto';
import { Readable } from 'node:stream';
import type { ManifestContent, SignedManifest } from '@device-center/contract';
import { Upload } from '@tus/server';
import type { Insertable } from 'kysely';
import type { Db } from '../../db/connect.ts';
import type { OtaVersionTable } from '../../db/hub-tables.ts';
import type { FileStore } from '../../platform/file-store/file-store.ts';
import { foldCase } from '../../platform/fold-case.ts';
import { newId } from '../../platform/ids.ts';
import { iso } from '../../platform/time.ts';
import type { Company, DemoRelease } from './company.ts';
import { DAY_MS } from './plan.ts';
import type { CreatedProducts } from './rows.ts';

type StoredFile = { fileId: string; nickName: string; size: number; md5: string; sha256: string };
/** The stored files of all releases, before their rows are inserted. */
export type StoredFiles = Map<DemoRelease, StoredFile>;

export type CreatedVersion = Insertable<OtaVersionTable>;

const KILOBYTE = 1_024;

/** Random bytes of the size of such firmware; it runs nowhere. */
const imageOf = ({ product, versionNumber, kilobytes }: DemoRelease): Buffer => {
  const head = Buffer.from(`${product} ${versionNumber}\n`);
  return Buffer.concat([head, randomBytes(kilobytes * KILOBYTE - head.length)]);
};

const storeImage = async (store: FileStore, release: DemoRelease): Promise<StoredFile> => {
  const bytes = imageOf(release);
  const file = { fileId: newId(), nickName: `${release.product}-${release.versionNumber}.bin`, size: bytes.length };
  const id = store.keyOf(file.fileId);
  const tus = await store.tus();
  await tus.create(new Upload({ id, size: file.size, offset: 0, metadata: { filename: file.nickName } }));
  await tus.write(Readable.from([bytes]), id, 0);
  return { ...file, md5: hash('md5', bytes), sha256: hash('sha256', bytes) };
};

/** Stored before the rows are inserted: files without a row are swept like those of any upload. */
export const storeFirmware = async (store: FileStore, releases: DemoRelease[]): Promise<StoredFiles> => {
  const stored: StoredFiles = new Map();
  for (const release of releases) stored.set(release, await storeImage(store, release));
  return stored;
};

type Author = { company: Company; creator: string; sign: (content: ManifestContent) => SignedManifest };

const insertVersion = async (
  db: Db,
  { company, creator, sign }: Author,
  productId: string,
  release: DemoRelease,
  { fileId, nickName, size, md5, sha256 }: StoredFile,
  now: number,
): Promise<CreatedVersion> => {
  const { versionName, versionNumber } = release;
  const tenancy_id = company.tenancyId;
  const at = Math.floor(now - release.daysAgo * DAY_MS);
  const since = { creator, created_at: at, updated_at: at };
  await db
    .insertInto('firmware_file')
    .values({
      file_id: fileId,
      tenancy_id,
      nick_name: nickName,
      size,
      state: 'ready',
      fault: '',
      md5,
      sha256,
      checker_until: 0,
      ...since,
    })
    .execute();
  const row = {
    version_id: newId(),
    tenancy_id,
    product_id: productId,
    version_name: versionName,
    version_name_key: foldCase(versionName),
    version_number: versionNumber,
    version_number_key: foldCase(versionNumber),
    file_id: fileId,
    nick_name: nickName,
    manifest: JSON.stringify(sign({ productId, versionNumber, size, sha256, date: iso(at) })),
    ...since,
  };
  await db.insertInto('ota_version').values(row).execute();
  return row;
};

/** Inserts the company's firmware versions. */
export const insertVersions = async (
  db: Db,
  author: Author,
  products: CreatedProducts,
  files: StoredFiles,
  now: number,
): Promise<Map<DemoRelease, CreatedVersion>> => {
  const created = new Map<DemoRelease, CreatedVersion>();
  const productIds = new Map([...products].map(([{ key }, { productId }]) => [key, productId]));
  for (const release of author.company.releases) {
    const file = files.get(release);
    const productId = productIds.get(release.product);
    if (file && productId) created.set(release, await insertVersion(db, author, productId, release, file, now));
  }
  return created;
};
