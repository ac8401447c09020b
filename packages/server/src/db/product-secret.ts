import type { Selectable } from 'kysely';
import type { DeviceTable } from './device-tables.ts';

/** How long an operator's leave to register once more is good. */
export const REREGISTER_MS = 3_600_000;

type SecretState = Pick<
  Selectable<DeviceTable>,
  'origin_id' | 'secret_proven' | 'secret_by_console' | 'reregister_until'
>;

/**
 * Whether a registered device may log in with its product's secret, which every device of the product holds: only while
 * nothing shows that it has one of its own, or once where an operator allows it.
 */
export const acceptsProductSecret = (device: SecretState, allowRegister: 0 | 1, now: number): boolean =>
  device.origin_id === '' &&
  (device.reregister_until > now ||
    (allowRegister === 1 && device.secret_by_console === 0 && device.secret_proven === 0));
