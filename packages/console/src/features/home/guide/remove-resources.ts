import { applicationCalls, mockCalls, productCalls } from '@device-center/contract';
import { ApiError } from '../../../api/api-error.ts';
import { send } from '../../../api/send.ts';
import type { Notes } from './create-product.ts';
import type { Made } from './resources.ts';

/** What somebody else has deleted meanwhile is as gone as it should be. */
const unlessGone = async (work: Promise<unknown>): Promise<void> => {
  try {
    await work;
  } catch (error) {
    if (!(error instanceof ApiError && error.status === 404)) throw error;
  }
};

/** Deleting an application would take the devices with it that others have put there since. */
const removeApplication = async ({ application }: Made): Promise<void> => {
  if (!application?.own) return;
  const applicationId = application.id;
  const { deviceCount } = await send(applicationCalls.getApplicationDetails, { applicationId });
  if (deviceCount === 0) await send(applicationCalls.deleteApplication, { applicationIds: [applicationId] });
};

/** The device first, then what it stood on. Each is noted, so that a refusal halfway can be tried again. */
export const removeMade = async (notes: Notes): Promise<void> => {
  const { device, product, child } = notes.read();
  if (device) await unlessGone(send(mockCalls.deleteMockDevice, { deviceId: device.id }));
  notes.write({ device: undefined });
  for (const one of [product, child])
    if (one) await unlessGone(send(productCalls.deleteDeviceProduct, { productIds: [one.id] }));
  notes.write({ product: undefined, child: undefined });
  await unlessGone(removeApplication(notes.read()));
  notes.write({ application: undefined });
};
