import { applicationCalls, type DeviceRow, deviceCalls, productCalls } from '@device-center/contract';
import { useQueryClient } from '@tanstack/react-query';
import { keyOf } from '../../../api/use-call.ts';
import { type JobAction, startJob, type Target } from './bulk-job.ts';

/** An action that the operator has to confirm, and its devices. */
export type PendingAction = {
  kind: 'restart' | 'kick' | 'blacklist' | 'delete';
  devices: readonly DeviceRow[];
  /** Clears the selection, if there is one. */
  done: () => void;
  /** The current page shows the device that is deleted, and `done` navigates away. */
  leaves?: boolean;
};

/** Lists that show the number of devices of a product or an application. */
export const listsWithDeviceCount = [productCalls.queryDeviceProductList, applicationCalls.queryApplicationList];
const affectedGroups = [deviceCalls.queryDeviceList, ...listsWithDeviceCount].map((call) => keyOf(call)[0]);

/** Starts a job and refetches the affected lists as it progresses. */
export const useStartJob = () => {
  const client = useQueryClient();
  const refresh = () => {
    for (const folder of affectedGroups) void client.invalidateQueries({ queryKey: [folder] });
  };
  return (action: JobAction, targets: readonly Target[]): void => void startJob(action, targets, refresh);
};
