import type { DeviceDetails } from '@device-center/contract';
import { useTranslation } from 'react-i18next';
import { PresenceDot } from '../../../ui/presence-dot.tsx';
import { RelativeTime } from '../../../ui/relative-time.tsx';

/** Presence and the time of its last change. */
export const DeviceStatus = ({ device }: { device: DeviceDetails }) => {
  const { t } = useTranslation(['deviceDetail', 'device']);
  const { online, presenceTime } = device;
  return (
    <span className="dc-device-presence" role="status">
      <PresenceDot online={online === 1}>{t(online === 1 ? 'device:online' : 'device:offline')}</PresenceDot>
      {presenceTime === '' ? <span>{t('deviceDetail:neverOnline')}</span> : <RelativeTime value={presenceTime} />}
    </span>
  );
};
