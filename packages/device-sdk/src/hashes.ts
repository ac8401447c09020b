import type { Hashes } from '@device-center/contract';
import { hmac } from '@noble/hashes/hmac.js';
import { md5 } from '@noble/hashes/legacy.js';
import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js';

/** Not Web Crypto: it is asynchronous, unavailable without HTTPS, and has no MD5. */
export const hashes: Hashes = {
  md5: (text) => bytesToHex(md5(utf8ToBytes(text))),
  sha256: (text) => bytesToHex(sha256(utf8ToBytes(text))),
  hmacSha256: (secret, text) => bytesToHex(hmac(sha256, utf8ToBytes(secret), utf8ToBytes(text))),
};

export const bytesOf = (text: string): number => utf8ToBytes(text).length;
