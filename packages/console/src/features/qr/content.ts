import type { DeviceRow } from '@device-center/contract';

/** What of a device may stand in a code. No secret: a label is for everybody's eyes. */
export type Labelled = Pick<DeviceRow, 'deviceId' | 'deviceName' | 'productId' | 'mac'>;

export const placeholders = ['deviceId', 'deviceName', 'productId', 'mac'] as const satisfies (keyof Labelled)[];

export const DEFAULT_CONTENT = '{deviceId}';

/** Other braces, such as those of JSON, stay as they are. */
export const fillContent = (template: string, device: Labelled): string =>
  template.replace(/\{(deviceId|deviceName|productId|mac)\}/g, (_all, name: keyof Labelled) => device[name]);
