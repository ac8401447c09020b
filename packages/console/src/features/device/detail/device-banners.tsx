import { controlCalls, type DeviceDetails } from '@device-center/contract';
import { Ban, TimerOff } from 'lucide-react';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useCan } from '../../../api/session.ts';
import { useCallMutation } from '../../../api/use-call.ts';
import { Button } from '../../../ui/button.tsx';
import { absoluteText } from '../../../ui/relative-time.tsx';
import { remainingTimeText, useTimeLeft } from '../list/kicked.ts';
import { useRemoveFromBlacklist } from '../list/use-remove-from-blacklist.tsx';

type BannerProps = { tone: 'failed' | 'warning'; icon: ReactNode; title: string; text: string; action: ReactNode };

const Banner = ({ tone, icon, title, text, action }: BannerProps) => (
  <div className="dc-banner" data-tone={tone} role="alert">
    {icon}
    <p>
      <strong>{title}</strong> <span className="dc-muted">{text}</span>
    </p>
    {action}
  </div>
);

const BlackBanner = ({ device }: { device: DeviceDetails }) => {
  const { t } = useTranslation(['deviceDetail', 'device']);
  const mayChange = useCan('device:blacklist');
  const removeFromBlacklist = useRemoveFromBlacklist();
  const { blackBy, blackTime, blackReason } = device;
  const by = blackTime === '' ? '' : t('deviceDetail:blackBannerBy', { by: blackBy, time: absoluteText(blackTime) });
  const parts = [by, blackReason === '' ? '' : t('deviceDetail:blackBannerReason', { reason: blackReason })];
  return (
    <Banner
      tone="failed"
      icon={<Ban size={16} aria-hidden />}
      title={t('deviceDetail:blackBanner')}
      text={parts.filter((part) => part !== '').join(' · ')}
      action={
        mayChange && (
          <Button size="small" onClick={() => removeFromBlacklist([device])}>
            {t('device:unblack')}
          </Button>
        )
      }
    />
  );
};

const KickedBanner = ({ device: { deviceId, kickedUntil } }: { device: DeviceDetails }) => {
  const { t } = useTranslation(['deviceDetail', 'device']);
  const mayWrite = useCan('device:write');
  const left = useTimeLeft(kickedUntil);
  const release = useCallMutation(controlCalls.kickOut, { toast: true });
  if (left <= 0) return null;
  return (
    <Banner
      tone="warning"
      icon={<TimerOff size={16} aria-hidden />}
      title={t('deviceDetail:kickedBanner', { time: absoluteText(kickedUntil) })}
      text={t('deviceDetail:kickedLeft', { left: remainingTimeText(left) })}
      action={
        mayWrite && (
          <Button size="small" loading={release.isPending} onClick={() => release.mutate({ deviceId, op: 0 })}>
            {t('device:releaseOne')}
          </Button>
        )
      }
    />
  );
};

/** Shows on every tab what keeps the device offline. */
export const DeviceBanners = ({ device }: { device: DeviceDetails }) => (
  <>
    {device.blacklisted === 1 && <BlackBanner device={device} />}
    {device.kickedUntil !== '' && <KickedBanner device={device} />}
  </>
);
