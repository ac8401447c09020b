import { createHash, createPrivateKey, createPublicKey, generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import type { FirmwareKey, ManifestContent, SignedManifest } from '@device-center/contract';
import type { Db } from '../../db/connect.ts';
import { transact } from '../../db/errors.ts';
import { PLATFORM } from '../../db/platform-ids.ts';
import { holdTenancies } from '../../db/scope.ts';
import type { SecretBox } from '../../platform/secret-box.ts';

type SignerDeps = { db: Db; secrets: Pick<SecretBox, 'seal' | 'open'> };
type SigningKey = FirmwareKey & { privateKey: KeyObject };

const rawOf = (publicKey: KeyObject): Buffer => Buffer.from(publicKey.export({ format: 'jwk' }).x ?? '', 'base64url');

const keyIdOf = (raw: Buffer): string => createHash('sha256').update(raw).digest('hex').slice(0, 16);

const pemOf = (publicKey: KeyObject): string => publicKey.export({ format: 'pem', type: 'spki' }).toString();

/** Signs what devices are to install. The key is made when it is first needed, once however many hubs there are. */
export const createSigner = ({ db, secrets }: SignerDeps) => {
  let known: Promise<SigningKey> | undefined;

  const find = (db: Db) =>
    db.selectFrom('signing_key').selectAll().orderBy('created_at', 'desc').orderBy('key_id').executeTakeFirst();

  const make = () =>
    transact(db, async (db) => {
      // Of two hubs that make it at once the second waits here, and finds the first one's.
      await holdTenancies(db, [PLATFORM.tenancyId]);
      const made = await find(db);
      if (made) return made;
      const { publicKey, privateKey } = generateKeyPairSync('ed25519');
      const row = {
        key_id: keyIdOf(rawOf(publicKey)),
        public_key: pemOf(publicKey),
        private_sealed: secrets.seal(privateKey.export({ format: 'pem', type: 'pkcs8' }).toString()),
        created_at: Date.now(),
      };
      await db.insertInto('signing_key').values(row).execute();
      return row;
    });

  const load = async (): Promise<SigningKey> => {
    const row = (await find(db)) ?? (await make());
    return {
      keyId: row.key_id,
      algorithm: 'ed25519',
      publicKey: rawOf(createPublicKey(row.public_key)).toString('base64'),
      pem: row.public_key,
      privateKey: createPrivateKey(secrets.open(row.private_sealed)),
    };
  };

  const current = (): Promise<SigningKey> => {
    known ??= load().catch((error: unknown) => {
      known = undefined;
      throw error;
    });
    return known;
  };

  return {
    async publicKey(): Promise<FirmwareKey> {
      const { privateKey: _kept, ...key } = await current();
      return key;
    },

    /** Made ready before a transaction, in which nothing but the database is waited for. */
    async ready(): Promise<(content: ManifestContent) => SignedManifest> {
      const { keyId, privateKey } = await current();
      return (manifest) => {
        const content = JSON.stringify(manifest);
        return { content, signature: sign(null, Buffer.from(content), privateKey).toString('base64'), keyId };
      };
    },
  };
};

export type Signer = ReturnType<typeof createSigner>;
