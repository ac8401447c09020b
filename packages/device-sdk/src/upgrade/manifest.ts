import { compareVersions, type ManifestContent, manifestContent, type UpgradeOrder } from '@device-center/contract';
import { hashes, verify } from '@noble/ed25519';
import { sha256, sha512 } from '@noble/hashes/sha2.js';
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js';
import { fromBase64 } from '../runtime.ts';
import { UpgradeFailure } from './failure.ts';

// The platform's own is absent in a page without HTTPS.
hashes.sha512 = sha512;

const PEM = /-----BEGIN PUBLIC KEY-----([\s\S]+?)-----END PUBLIC KEY-----/;
/** What stands before the 32 bytes of an Ed25519 key in a PEM file. */
const PEM_HEAD = '302a300506032b6570032100';
const KEY_BYTES = 32;

/** The 32 bytes of a public key given as PEM or as base64. */
export const readFirmwareKey = (text: string): Uint8Array => {
  const inPem = PEM.exec(text)?.[1];
  const bytes = decoded(inPem ?? text);
  const head = bytesToHex(bytes.subarray(0, -KEY_BYTES));
  if (bytes.length < KEY_BYTES || head !== (inPem === undefined ? '' : PEM_HEAD))
    throw new TypeError('The firmware key must be an Ed25519 public key, as PEM or as base64 of its 32 bytes.');
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

/** Strictly by RFC 8032, as OpenSSL and Node do. */
export const isSignedManifest = (content: string, signature: string, key: Uint8Array): boolean => {
  try {
    return verify(decoded(signature), utf8ToBytes(content), key, { zip215: false });
  } catch {
    return false;
  }
};

const refuse = (detail: string): never => {
  throw new UpgradeFailure('verification', detail);
};

const contentOf = (text: string): ManifestContent => {
  try {
    return manifestContent.parse(JSON.parse(text));
  } catch {
    return refuse('the manifest cannot be read');
  }
};

export type Judgement = {
  key: Uint8Array;
  productId: string;
  /** What the device runs; '' where it does not know. */
  running: string;
  allowOlder: boolean;
};

/** What the manifest says, once it is known to be right: signed, and for this device. */
export const verifyManifest = (order: UpgradeOrder, { key, productId, running, allowOlder }: Judgement) => {
  const { content, signature, keyId } = order.manifest;
  if (keyId !== firmwareKeyId(key)) refuse(`the manifest is signed with the key ${keyId}, which is not known here`);
  if (!isSignedManifest(content, signature, key)) refuse('the signature of the manifest is not right');
  const said = contentOf(content);
  if (said.productId !== productId) refuse(`the manifest is for product ${said.productId}, this is ${productId}`);
  if (said.versionNumber !== order.versionNumber)
    refuse(`the manifest is for version ${said.versionNumber}, the order for ${order.versionNumber}`);
  if (said.size !== order.size || said.sha256 !== order.sha256.toLowerCase())
    refuse('the manifest and the order name different files');
  if (!allowOlder && running !== '' && compareVersions(said.versionNumber, running) < 0)
    refuse(`version ${said.versionNumber} is older than ${running}, which runs`);
  return said;
};
