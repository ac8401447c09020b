import type { MockProfile } from '@device-center/contract';
import type { DeviceBehavior } from '@device-center/virtual-device';
import { useTranslation } from 'react-i18next';
import { usePanel } from '../panel-context.ts';

export type Sender = Pick<MockProfile, 'deviceId' | 'deviceName' | 'functions'> & {
  body: DeviceBehavior;
  /** Reason why the device cannot send now; '' if it can. */
  blockedReason: string;
};

/** The device and its children, without children that the running mock does not know yet. */
export const useMockProfiles = (): MockProfile[] => {
  const { details, mock } = usePanel();
  return [details, ...details.children].filter(({ deviceId }) => mock.deviceIds.includes(deviceId));
};

/** The device that the forms send for, and whether it can send. */
export const useSender = (): Sender => {
  const { t } = useTranslation('mockTabs');
  const { details, mock, online, mounted, chosen } = usePanel();
  const own = useMockProfiles().find(({ deviceId }) => deviceId === chosen) ?? details;
  const { deviceId, deviceName } = own;
  const isMounted = deviceId === details.deviceId || mounted.includes(deviceId);
  const blockedReason = online ? (isMounted ? '' : t('notMounted')) : t('notOnline');
  return { deviceId, deviceName, functions: mock.modelOf(deviceId), body: mock.behaviorOf(deviceId), blockedReason };
};
