import type { UpgradeOrder } from '@device-center/contract';
import type { Maybe } from '../types.ts';

/** What a storage has of a firmware: so many bytes from its start, and the name that the server gave them. */
export type Kept = { size: number; tag: string };

export type Digest = { size: number; sha256: string };

/** Where firmware lies from its first byte until it is installed. Each device needs one of its own. */
export type FirmwareStorage = {
  /** What is here of this very firmware; whatever is of another is dropped. */
  open: (order: UpgradeOrder) => Maybe<Kept>;
  /** From the first byte again. */
  begin: (tag: string) => Maybe<void>;
  append: (bytes: Uint8Array) => Maybe<void>;
  /** From the first byte, piece by piece. */
  read: () => AsyncIterable<Uint8Array>;
  clear: () => Maybe<void>;
  /** Of a storage that has counted along what it was given; else everything is read again to verify it. */
  digest?: () => Maybe<Digest>;
  /** Of a storage of files: where it lies. */
  readonly path?: string;
};

/** Firmware whose manifest, length and SHA-256 are right. */
export type FirmwareFile = {
  size: number;
  /** Piece by piece, for one that is larger than the memory. */
  read: () => AsyncIterable<Uint8Array>;
  bytes: () => Promise<Uint8Array>;
  path?: string;
};

export type UpgradeOptions = {
  /** Puts it to use; throws when it cannot. When it is done the device logs in again, with the new version. */
  install: (file: FirmwareFile, order: UpgradeOrder) => Maybe<{ versionNumber?: string } | undefined>;
  /**
   * The hub's public key, as PEM or as the base64 of its 32 bytes. Without it the hub is asked once, and whoever can
   * pose as the hub can pose as the maker of the firmware.
   */
  key?: string;
  /** Versions older than the running one are installed too; else only where the order says so. */
  allowOlder?: boolean;
  /** In memory when missing. */
  storage?: FirmwareStorage;
  /** Asked first: throws a `DeviceError` to say no, or answers false where the application does it all by itself. */
  accept?: (order: UpgradeOrder) => Maybe<boolean | undefined>;
  /** Milliseconds between two reports of how far the download is. */
  reportEvery?: number;
  /** How many tries in a row may bring no new byte until the download has failed. */
  tries?: number;
  /** Where to download from, in place of where the hub says; for a device that runs beside its hub. */
  downloadFrom?: (url: string) => string;
};

export type UpgradePhase = 'downloading' | 'verifying' | 'installing' | 'installed' | 'failed' | 'cancelled';

/** How an upgrade stands. */
export type UpgradeState = {
  order: UpgradeOrder;
  phase: UpgradePhase;
  percent: number;
  /** 3 download, 4 verification, 5 installation. */
  reason?: 3 | 4 | 5;
  detail?: string;
};
