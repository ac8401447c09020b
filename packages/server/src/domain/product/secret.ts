import type { Selectable } from 'kysely';
import type { DeviceTable } from '../../db/hub-tables.ts';

/** How long an operator's permission to register again is valid. */
export const REREGISTER_MS = 3_600_000;

type SecretState = Pick<
  Selectable<DeviceTable>,
  'origin_id' | 'secret_proven' | 'secret_by_console' | 'reregister_until'
>;

/**
 * Whether a registered device may log in with its product's secret, which all devices of the product share: only while
 * it is not known to have its own secret, or once if an operator permits it.
 */
export const acceptsProductSecret = (device: SecretState, allowRegister: 0 | 1, now: number): boolean =>
  device.origin_id === '' &&
  (device.reregister_until > now ||
    (allowRegister === 1 && device.secret_by_console === 0 && device.secret_proven === 0));
