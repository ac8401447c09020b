import type { deviceCalls, Output, ProductRow } from '@device-center/contract';

/** What a device needs to log in. The hub returns the secret only once. */
export type Credentials = Output<typeof deviceCalls.addDevice> & { product: ProductRow };

/** The credentials as JSON, for firmware, a QR code or a file. */
export const credentialsJson = ({ product, deviceId, deviceSecret }: Credentials, hub: string): string =>
  JSON.stringify({ productId: product.productId, deviceId, deviceSecret, hub });
