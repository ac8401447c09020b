import { createHash, createPrivateKey, createPublicKey, generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import type { FirmwareKey, ManifestContent, SignedManifest } from '@device-center/contract';
import type { Db } from '../../db/connect.ts';
import { transact } from '../../db/errors.ts';
import { lockTenancies } from '../../db/scope.ts';
import { PLATFORM } from '../../domain/tenant/platform-ids.ts';
import type { SecretBox } from '../../platform/secret-box.ts';

type SignerDeps = { db: Db; secrets: Pick<SecretBox, 'seal' | 'open'> };
type SigningKey = FirmwareKey & { privateKey: KeyObject };

const rawOf = (publicKey: KeyObject): Buffer => Buffer.from(publicKey.export({ format: 'jwk' }).x ?? '', 'base64url');

const keyIdOf = (raw: Buffer): string => createHash('sha256').update(raw).digest('hex').slice(0, 16);

const pemOf = (publicKey: KeyObject): string => publicKey.export({ format: 'pem', type: 'spki' }).toString();

/** Signs the manifests of firmware versions. The first hub that needs the key creates it, once for all hubs. */
export const createSigner = ({ db, secrets }: SignerDeps) => {
  let cached: Promise<SigningKey> | undefined;

  const findKey = (db: Db) =>
    db.selectFrom('signing_key').selectAll().orderBy('created_at', 'desc').orderBy('key_id').executeTakeFirst();

  const createKey = () =>
    transact(db, async (db) => {
      // Of two hubs that create it at once the second waits for this lock and then finds the key of the first.
      await lockTenancies(db, [PLATFORM.tenancyId]);
      const existing = await findKey(db);
      if (existing) return existing;
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
    const row = (await findKey(db)) ?? (await createKey());
    return {
      keyId: row.key_id,
      algorithm: 'ed25519',
      publicKey: rawOf(createPublicKey(row.public_key)).toString('base64'),
      pem: row.public_key,
      privateKey: createPrivateKey(secrets.open(row.private_sealed)),
    };
  };

  const current = (): Promise<SigningKey> => {
    cached ??= load().catch((error: unknown) => {
      cached = undefined;
      throw error;
    });
    return cached;
  };

  return {
    async publicKey(): Promise<FirmwareKey> {
      const { privateKey: _private, ...key } = await current();
      return key;
    },

    /** Loads the key before a transaction, because a transaction must wait for nothing but the database. */
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
