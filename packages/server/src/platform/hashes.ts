import { createHmac, hash } from 'node:crypto';
import type { Hashes } from '@device-center/contract';

export const hashes: Hashes = {
  md5: (text) => hash('md5', text),
  sha256: (text) => hash('sha256', text),
  hmacSha256: (secret, text) => createHmac('sha256', secret).update(text).digest('hex'),
};
