import { applicationCalls, type DeviceRow, deviceCalls, productCalls } from '@device-center/contract';
import { useQueryClient } from '@tanstack/react-query';
import { keyOf } from '../../../api/use-call.ts';
import { type Order, startJob, type Target } from './bulk-job.ts';

/** What the operator is about to do, and to which devices. */
export type Ask = {
  kind: 'restart' | 'kick' | 'blacklist' | 'delete';
  devices: readonly DeviceRow[];
  /** Lets go of the choice, where there is one. */
  done: () => void;
  /** The current page shows the device that is deleted, and `done` navigates away. */
  leaves?: boolean;
};

/** Products and applications count their devices. */
export const countedElsewhere = [productCalls.queryDeviceProductList, applicationCalls.queryApplicationList];
const touched = [deviceCalls.queryDeviceList, ...countedElsewhere].map((call) => keyOf(call)[0]);

/** Begins a job whose progress shows in the lists on the screen. */
export const useStartJob = () => {
  const client = useQueryClient();
  const refresh = () => {
    for (const folder of touched) void client.invalidateQueries({ queryKey: [folder] });
  };
  return (order: Order, targets: readonly Target[]): void => void startJob(order, targets, refresh);
};
