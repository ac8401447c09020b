import { compareVersions, type ManifestContent, manifestContent, type UpgradeOrder } from '@device-center/contract';
import { hashes, verify } from '@noble/ed25519';
import { sha256, sha512 } from '@noble/hashes/sha2.js';
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js';
import { fromBase64 } from '../platform.ts';
import { UpgradeFailure } from './failure.ts';

// Web Crypto is unavailable in a page without HTTPS.
hashes.sha512 = sha512;

const PEM = /-----BEGIN PUBLIC KEY-----([\s\S]+?)-----END PUBLIC KEY-----/;
/** DER prefix before the 32 bytes of an Ed25519 public key. */
const DER_PREFIX = '302a300506032b6570032100';
const KEY_BYTES = 32;

/** Parses a public key given as PEM or as base64; returns its 32 bytes. */
export const readFirmwareKey = (text: string): Uint8Array => {
  const inPem = PEM.exec(text)?.[1];
  const bytes = decoded(inPem ?? text);
  const head = bytesToHex(bytes.subarray(0, -KEY_BYTES));
  if (bytes.length < KEY_BYTES || head !== (inPem === undefined ? '' : DER_PREFIX))
    throw new TypeError('the firmware key must be an Ed25519 public key: PEM, or base64 of its 32 bytes');
  return bytes.subarray(-KEY_BYTES);
};

const decoded = (base64: string): Uint8Array => {
  try {
    return fromBase64(base64.replace(/\s+/g, ''));
  } catch {
    return new Uint8Array();
  }
};

export const firmwareKeyId = (key: Uint8Array): string => bytesToHex(sha256(key)).slice(0, 16);

/** Verifies strictly by RFC 8032, like OpenSSL and Node. */
export const isSignedManifest = (content: string, signature: string, key: Uint8Array): boolean => {
  try {
    return verify(decoded(signature), utf8ToBytes(content), key, { zip215: false });
  } catch {
    return false;
  }
};

const fail = (detail: string): never => {
  throw new UpgradeFailure('verification', detail);
};

const contentOf = (text: string): ManifestContent => {
  try {
    return manifestContent.parse(JSON.parse(text));
  } catch {
    return fail('the manifest is not valid');
  }
};

export type VerifyOptions = {
  key: Uint8Array;
  productId: string;
  /** '' when the device does not know its version. */
  runningVersion: string;
  allowOlder: boolean;
};

/** Verifies that the manifest is signed and is for this device and order; returns its content. */
export const verifyManifest = (order: UpgradeOrder, { key, productId, runningVersion, allowOlder }: VerifyOptions) => {
  const { content, signature, keyId } = order.manifest;
  if (keyId !== firmwareKeyId(key)) fail(`the manifest is signed with an unknown key: ${keyId}`);
  if (!isSignedManifest(content, signature, key)) fail('the manifest has an invalid signature');
  const manifest = contentOf(content);
  if (manifest.productId !== productId) fail(`the manifest is for product ${manifest.productId}, this is ${productId}`);
  if (manifest.versionNumber !== order.versionNumber)
    fail(`the manifest is for version ${manifest.versionNumber}, the upgrade order for ${order.versionNumber}`);
  if (manifest.size !== order.size || manifest.sha256 !== order.sha256.toLowerCase())
    fail('the manifest and the upgrade order name different files');
  if (!allowOlder && runningVersion !== '' && compareVersions(manifest.versionNumber, runningVersion) < 0)
    fail(`version ${manifest.versionNumber} is older than the running version ${runningVersion}`);
  return manifest;
};
