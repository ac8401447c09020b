import type { deviceCalls, Output, ProductRow } from '@device-center/contract';

/** What a device needs to log in, as it is answered once. */
export type Credentials = Output<typeof deviceCalls.addDevice> & { product: ProductRow };

/** As firmware, a QR code or a file takes it in. */
export const credentialsJson = ({ product, deviceId, deviceSecret }: Credentials, hub: string): string =>
  JSON.stringify({ productId: product.productId, deviceId, deviceSecret, hub });
