import { applicationCalls, mockCalls, productCalls } from '@device-center/contract';
import { ApiError } from '../../../api/api-error.ts';
import { send } from '../../../api/send.ts';
import type { ResourceStore } from './create-product.ts';
import type { GuideResources } from './resources.ts';

/** Ignores 404: an object that another user has deleted needs no removal. */
const ignoreNotFound = async (work: Promise<unknown>): Promise<void> => {
  try {
    await work;
  } catch (error) {
    if (!(error instanceof ApiError && error.status === 404)) throw error;
  }
};

/** Keeps an application with devices: deleting it would delete devices that other users have added. */
const removeApplication = async ({ application }: GuideResources): Promise<void> => {
  if (!application?.own) return;
  const applicationId = application.id;
  const { deviceCount } = await send(applicationCalls.getApplicationDetails, { applicationId });
  if (deviceCount === 0) await send(applicationCalls.deleteApplication, { applicationIds: [applicationId] });
};

/** Removes the device first, then what it depends on. Each removal is stored, so that a failed run can be retried. */
export const removeResources = async (resources: ResourceStore): Promise<void> => {
  const { device, product, child } = resources.read();
  if (device) await ignoreNotFound(send(mockCalls.deleteMockDevice, { deviceId: device.id }));
  resources.write({ device: undefined });
  for (const entry of [product, child])
    if (entry) await ignoreNotFound(send(productCalls.deleteDeviceProduct, { productIds: [entry.id] }));
  resources.write({ product: undefined, child: undefined });
  await ignoreNotFound(removeApplication(resources.read()));
  resources.write({ application: undefined });
};
