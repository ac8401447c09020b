import type { DeviceDetails, StreamEvents } from '@device-center/contract';
import { useEffect, useState } from 'react';

type StreamedPresence = Pick<DeviceDetails, 'online' | 'presenceTime'>;

const RETRY_MS = 500;
const RETRIES_MAX = 10;
const REJECTED = 3;

/** Whether the fetched device is older than the streamed event: the hub does not update both at the same time. */
const isOutdated = (device: DeviceDetails, streamed: StreamedPresence | undefined): streamed is StreamedPresence =>
  streamed !== undefined && device.presenceTime < streamed.presenceTime;

/**
 * The device with its current presence: `applyPresence` shows a streamed event at once, and the device is refetched
 * until it includes the event.
 */
export const usePresence = (fetched: DeviceDetails, refetch: () => unknown) => {
  const [streamed, setStreamed] = useState<StreamedPresence>();
  const [retries, setRetries] = useState(0);
  const applyPresence = ({ deviceId, online, time, status }: StreamEvents['presence']): void => {
    if (deviceId !== fetched.deviceId) return;
    // A rejected login does not change the presence, but it may change the offline reasons.
    if (status !== REJECTED) setStreamed({ online, presenceTime: time });
    setRetries(0);
    void refetch();
  };
  const outdated = isOutdated(fetched, streamed);
  useEffect(() => {
    if (!outdated || retries >= RETRIES_MAX) return;
    const timer = setTimeout(() => {
      setRetries(retries + 1);
      void refetch();
    }, RETRY_MS);
    return () => clearTimeout(timer);
  }, [outdated, retries, refetch]);
  const device: DeviceDetails = outdated ? { ...fetched, ...streamed, why: [] } : fetched;
  return { device, applyPresence };
};
