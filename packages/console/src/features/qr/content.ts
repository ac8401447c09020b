import type { DeviceRow } from '@device-center/contract';

/** Device attributes that a code may contain. No secrets, because labels are public. */
export type Labelled = Pick<DeviceRow, 'deviceId' | 'deviceName' | 'productId' | 'mac'>;

export const placeholders = ['deviceId', 'deviceName', 'productId', 'mac'] as const satisfies (keyof Labelled)[];

export const DEFAULT_CONTENT = '{deviceId}';

/** Replaces the placeholders. Other braces, such as in JSON, are kept. */
export const fillContent = (template: string, device: Labelled): string =>
  template.replace(/\{(deviceId|deviceName|productId|mac)\}/g, (_all, name: keyof Labelled) => device[name]);
