import type { MockProfile } from '@device-center/contract';
import type { Body } from '@device-center/virtual-device';
import { useTranslation } from 'react-i18next';
import { usePanel } from '../panel-context.ts';

export type Speaking = Pick<MockProfile, 'deviceId' | 'deviceName' | 'functions'> & {
  body: Body;
  /** Why nothing can be sent for it now; '' when it can. */
  unable: string;
};

/** The device and its children, as far as the running mock knows them: one that was just added is not in it yet. */
export const useBodies = (): MockProfile[] => {
  const { details, mock } = usePanel();
  return [details, ...details.children].filter(({ deviceId }) => mock.deviceIds.includes(deviceId));
};

/** For whom the forms speak, and whether it can be heard. */
export const useSender = (): Speaking => {
  const { t } = useTranslation('mockTabs');
  const { details, mock, online, mounted, chosen } = usePanel();
  const own = useBodies().find(({ deviceId }) => deviceId === chosen) ?? details;
  const { deviceId, deviceName } = own;
  const isMounted = deviceId === details.deviceId || mounted.includes(deviceId);
  const unable = online ? (isMounted ? '' : t('notMounted')) : t('notOnline');
  return { deviceId, deviceName, functions: mock.modelOf(deviceId), body: mock.bodyOf(deviceId), unable };
};
