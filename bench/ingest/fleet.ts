import { accountCalls, applicationCalls, productCalls, quotaCalls } from '@device-center/contract';
import { createClient } from '../../packages/server/test/client.ts';
import { getBucket, login } from '../../packages/server/test/raw-device.ts';
import type { LoadDevice } from './load-messages.ts';

const AT_ONCE = 50;

/** Creates a product with registered devices on a hub. */
export const createFleet = async (url: string, adminPassword: string) => {
  const anonymous = createClient(url);
  const { token } = await anonymous.ok(accountCalls.login, { username: 'admin', password: adminPassword });
  const admin = createClient(url, token);
  const { applicationId } = await admin.ok(applicationCalls.addApplication, { applicationName: 'bench' });
  // Raise the quotas: the benchmark measures the hub's capacity. An older checkout may have no quotas.
  const rates = { messagesPerSecond: 1_000_000, deviceMessagesPerSecond: 1_000_000, messagesPerDay: 1_000_000_000 };
  await admin.call(quotaCalls.updateTenancyQuotas, { tenancyId: '1', ...rates });
  const { productId, productSecret } = await admin.ok(productCalls.addDeviceProduct, {
    productName: 'bench',
    categoryId: 'std-lighting',
    nodeType: 1,
    protocolId: 1,
    classId: 1,
    applicationId,
  });

  const register = async (deviceId: string): Promise<LoadDevice> => {
    const answer = await login(url, { productId, deviceId, secret: productSecret, signMethod: 'md5' });
    const { topics } = await getBucket(url, answer.token);
    const { sessionId, tenantId, deviceSecret: secret = '' } = answer;
    return { deviceId, token: answer.token, secret, sessionId, tenantId, topic: topics.up, firstDataId: 10_000 };
  };

  return {
    async register(count: number, prefix: string): Promise<LoadDevice[]> {
      const devices: LoadDevice[] = [];
      while (devices.length < count) {
        const from = devices.length;
        const some = Array.from({ length: Math.min(AT_ONCE, count - from) }, (_, index) => `${prefix}${from + index}`);
        devices.push(...(await Promise.all(some.map(register))));
      }
      return devices;
    },
  };
};
