import { FailReason, UPGRADE_DETAIL_MAX } from '@device-center/contract';

/** A failed upgrade, with the reason and detail that the device reports to the hub. */
export class UpgradeFailure extends Error {
  override readonly name = 'UpgradeFailure';
  readonly reason: 3 | 4 | 5;

  constructor(reason: 'download' | 'verification' | 'install', detail: string) {
    super(detail.replaceAll('\0', '').slice(0, UPGRADE_DETAIL_MAX));
    this.reason = FailReason[reason];
  }
}

export const errorMessage = (error: unknown): string => (error instanceof Error ? error.message : String(error));
