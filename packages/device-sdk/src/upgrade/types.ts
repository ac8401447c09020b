import type { UpgradeOrder } from '@device-center/contract';
import type { Maybe } from '../types.ts';

/** The part of a firmware that a storage holds: its first `size` bytes, and the ETag of their source. */
export type StoredFirmware = { size: number; tag: string };
/** @deprecated Renamed to `StoredFirmware`. */
export type Kept = StoredFirmware;

export type Digest = { size: number; sha256: string };

/** Stores firmware from its first byte until it is installed. Each device needs its own. */
export type FirmwareStorage = {
  /** Returns what is stored of this firmware; discards the bytes of any other. */
  open: (order: UpgradeOrder) => Maybe<StoredFirmware>;
  /** Discards everything: the download starts again at the first byte. */
  begin: (tag: string) => Maybe<void>;
  append: (bytes: Uint8Array) => Maybe<void>;
  /** Reads all bytes in chunks. */
  read: () => AsyncIterable<Uint8Array>;
  clear: () => Maybe<void>;
  /** Optional: for a storage that hashes while it writes; otherwise verification reads all bytes. */
  digest?: () => Maybe<Digest>;
  /** Path of the file, for file storage. */
  readonly path?: string;
};

/** Verified firmware: manifest, length and SHA-256 match. */
export type FirmwareFile = {
  size: number;
  /** Reads in chunks, for firmware larger than memory. */
  read: () => AsyncIterable<Uint8Array>;
  bytes: () => Promise<Uint8Array>;
  path?: string;
};

export type UpgradeOptions = {
  /** Installs the firmware; throws on failure. Afterwards the device logs in again with the new version. */
  install: (file: FirmwareFile, order: UpgradeOrder) => Maybe<{ versionNumber?: string } | undefined>;
  /**
   * The hub's public key, as PEM or as base64 of its 32 bytes. Without it the device fetches the key from the hub once;
   * an attacker who can impersonate the hub can then also sign firmware.
   */
  key?: string;
  /** Allows versions older than the running one; by default only if the upgrade order allows it. */
  allowOlder?: boolean;
  /** Default: in memory. */
  storage?: FirmwareStorage;
  /** Called before an upgrade: throws a `DeviceError` to reject it, or returns false to handle it outside the SDK. */
  accept?: (order: UpgradeOrder) => Maybe<boolean | undefined>;
  /** Milliseconds between two progress reports. */
  reportEvery?: number;
  /** Consecutive attempts without new data after which the download fails. */
  tries?: number;
  /** Replaces the download address that the hub sent; for a device that runs on the hub's machine. */
  downloadFrom?: (url: string) => string;
};

export type UpgradePhase = 'downloading' | 'verifying' | 'installing' | 'installed' | 'failed' | 'cancelled';

/** State of an upgrade. */
export type UpgradeState = {
  order: UpgradeOrder;
  phase: UpgradePhase;
  percent: number;
  /** 3 download, 4 verification, 5 installation. */
  reason?: 3 | 4 | 5;
  detail?: string;
};
