import type { Db } from '../../db/connect.ts';
import { scopeOf } from '../../db/scope.ts';
import type { Actor } from '../../platform/actor.ts';
import { AppError } from '../../platform/app-error.ts';
import type { FileAnswer } from '../../platform/file-answer.ts';
import { newId } from '../../platform/ids.ts';
import type { PictureKind } from '../../platform/picture.ts';

type NewPicture = {
  tenancyId: string;
  purpose: 'avatar' | 'product';
  contentType: PictureKind;
  bytes: Uint8Array;
};

export const addPicture = async (db: Db, { tenancyId, purpose, contentType, bytes }: NewPicture): Promise<string> => {
  const pictureId = newId();
  await db
    .insertInto('picture')
    .values({
      picture_id: pictureId,
      tenancy_id: tenancyId,
      purpose,
      content_type: contentType,
      bytes,
      created_at: Date.now(),
    })
    .execute();
  return pictureId;
};

export const removePictures = async (db: Db, pictureIds: (string | null)[]): Promise<void> => {
  const ids = pictureIds.filter((id) => id !== null);
  if (ids.length > 0) await db.deleteFrom('picture').where('picture_id', 'in', ids).execute();
};

/** Reads a picture of the actor's tenant that was uploaded for this purpose. */
export const readPicture = async (
  db: Db,
  actor: Actor,
  purpose: NewPicture['purpose'],
  pictureId: string,
): Promise<FileAnswer> => {
  const { tenancyId } = scopeOf(actor);
  let query = db
    .selectFrom('picture')
    .select(['content_type', 'bytes'])
    .where('picture_id', '=', pictureId)
    .where('purpose', '=', purpose);
  if (tenancyId) query = query.where('tenancy_id', '=', tenancyId);
  const picture = await query.executeTakeFirst();
  if (!picture) throw new AppError('FILE_NOT_FOUND');
  return { bytes: picture.bytes, contentType: picture.content_type };
};

const UNUSED_AFTER_MS = 24 * 3600 * 1000;

/** Deletes product pictures uploaded for a form that was never submitted, after a day. */
export const sweepPictures = async (db: Db): Promise<void> => {
  await db
    .deleteFrom('picture')
    .where('purpose', '=', 'product')
    .where('created_at', '<', Date.now() - UNUSED_AFTER_MS)
    .where(({ not, exists, selectFrom }) =>
      not(exists(selectFrom('product').select('product_id').whereRef('product.picture_id', '=', 'picture.picture_id'))),
    )
    .execute();
};
