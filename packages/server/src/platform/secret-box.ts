import { createCipheriv, createDecipheriv, createHash, createHmac, randomBytes } from 'node:crypto';
import { linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Encrypts secrets that the hub must be able to decrypt (AES-256-GCM). */
export type SecretBox = {
  seal: (text: string) => string;
  open: (sealed: string) => string;
  /** A derived key for one purpose. */
  keyFor: (purpose: string) => Buffer;
};

export const KEY_FILE = 'secret.key';

const NONCE_BYTES = 12;
const TAG_BYTES = 16;

const readOrCreateKey = (dataDir: string): string => {
  const file = join(dataDir, KEY_FILE);
  mkdirSync(dataDir, { recursive: true });
  // Written to a draft and linked into place: if two hubs start together, one wins, and none reads a partial key.
  const draft = `${file}.${process.pid}`;
  writeFileSync(draft, randomBytes(32).toString('base64'), { mode: 0o600 });
  try {
    linkSync(draft, file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  } finally {
    rmSync(draft, { force: true });
  }
  return readFileSync(file, 'utf8').trim();
};

export const createSecretBox = (settings: { SECRET_KEY: string | undefined; DATA_DIR: string }): SecretBox => {
  const key = createHash('sha256')
    .update(settings.SECRET_KEY ?? readOrCreateKey(settings.DATA_DIR))
    .digest();
  return {
    seal: (text) => {
      const nonce = randomBytes(NONCE_BYTES);
      const cipher = createCipheriv('aes-256-gcm', key, nonce);
      const body = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
      return Buffer.concat([nonce, cipher.getAuthTag(), body]).toString('base64');
    },
    open: (sealed) => {
      const bytes = Buffer.from(sealed, 'base64');
      const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, NONCE_BYTES));
      decipher.setAuthTag(bytes.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES));
      return Buffer.concat([decipher.update(bytes.subarray(NONCE_BYTES + TAG_BYTES)), decipher.final()]).toString(
        'utf8',
      );
    },
    keyFor: (purpose) => createHmac('sha256', key).update(purpose).digest(),
  };
};
