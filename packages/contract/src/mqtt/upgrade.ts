import { z } from 'zod';

/** Maximum length of a device's description of a failed upgrade. */
export const UPGRADE_DETAIL_MAX = 200;

/** Content of a manifest; the hub signs its exact JSON text (Ed25519). */
export const manifestContent = z.object({
  productId: z.string(),
  versionNumber: z.string(),
  size: z.int().nonnegative(),
  /** Lower-case hex. */
  sha256: z.string().regex(/^[0-9a-f]{64}$/),
  /** When it was signed, ISO. */
  date: z.string(),
});
export type ManifestContent = z.output<typeof manifestContent>;

export const signedManifest = z.object({
  /** JSON text of the manifest. */
  content: z.string().max(2_000),
  /** Base64 of 64 bytes. */
  signature: z.string().max(100),
  /** Id of the signing key: the first 16 hex digits of the SHA-256 of its 32 bytes. */
  keyId: z.string().max(32),
});
export type SignedManifest = z.output<typeof signedManifest>;

/** Input of the service `ota`. */
export const upgradeOrder = z.object({
  deviceOtaTaskId: z.string().min(1).max(64),
  attempt: z.int().positive(),
  versionNumber: z.string().min(1).max(64),
  url: z.string().max(1_000),
  size: z.int().nonnegative(),
  md5: z.string(),
  sha256: z.string(),
  manifest: signedManifest,
  /** Allows a version older than the running one. */
  allowOlder: z.boolean().optional(),
});
export type UpgradeOrder = z.output<typeof upgradeOrder>;

/** Input of the service `otaCancel`. */
export const upgradeCancel = z.object({ deviceOtaTaskId: z.string().min(1).max(64), attempt: z.int().positive() });
export type UpgradeCancel = z.output<typeof upgradeCancel>;

export const firmwareKey = z.object({
  keyId: z.string(),
  algorithm: z.literal('ed25519'),
  /** Base64 of 32 bytes. */
  publicKey: z.string(),
  pem: z.string(),
});
export type FirmwareKey = z.output<typeof firmwareKey>;
