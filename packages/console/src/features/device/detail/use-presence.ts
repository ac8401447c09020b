import type { DeviceDetails, StreamEvents } from '@device-center/contract';
import { useEffect, useState } from 'react';

type Told = Pick<DeviceDetails, 'online' | 'presenceTime'>;

const LOOK_AGAIN_MS = 500;
const LOOKS_MAX = 10;
const REFUSED = 3;

/** Whether the answer is older than what the stream has told: the two are written one after the other. */
const isBehind = (device: DeviceDetails, told: Told | undefined): told is Told =>
  told !== undefined && device.presenceTime < told.presenceTime;

/**
 * The device as it is now: the header turns as soon as `tell` has been told, and what else there is to know is asked
 * until it agrees.
 */
export const usePresence = (answered: DeviceDetails, refetch: () => unknown) => {
  const [told, setTold] = useState<Told>();
  const [looks, setLooks] = useState(0);
  const tell = ({ deviceId, online, time, status }: StreamEvents['presence']): void => {
    if (deviceId !== answered.deviceId) return;
    // A refused log-in changes nothing about who is online, but it is a reason to name.
    if (status !== REFUSED) setTold({ online, presenceTime: time });
    setLooks(0);
    void refetch();
  };
  const behind = isBehind(answered, told);
  useEffect(() => {
    if (!behind || looks >= LOOKS_MAX) return;
    const timer = setTimeout(() => {
      setLooks(looks + 1);
      void refetch();
    }, LOOK_AGAIN_MS);
    return () => clearTimeout(timer);
  }, [behind, looks, refetch]);
  const device: DeviceDetails = behind ? { ...answered, ...told, why: [] } : answered;
  return { device, tell };
};
