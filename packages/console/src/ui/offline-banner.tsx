import dayjs from 'dayjs';
import { WifiOff } from 'lucide-react';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useOnline } from './media.ts';

/** Banner while the hub is unreachable or the browser is offline. */
export const OfflineBanner = () => {
  const { t } = useTranslation();
  const online = useOnline();
  const [since, setSince] = useState('');
  useEffect(() => {
    if (!online) setSince(dayjs().format('HH:mm'));
  }, [online]);
  return (
    <div role="status" className="dc-offline-slot">
      {!online && (
        <p className="dc-offline">
          <WifiOff size={16} aria-hidden /> {t(navigator.onLine ? 'hubUnreachable' : 'offline', { time: since })}
        </p>
      )}
    </div>
  );
};
