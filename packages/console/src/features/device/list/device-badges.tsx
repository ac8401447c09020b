import { type DeviceRow, isDisconnectReason } from '@device-center/contract';
import { Tooltip } from 'antd';
import { useTranslation } from 'react-i18next';
import { PresenceDot } from '../../../ui/presence-dot.tsx';
import { absoluteText } from '../../../ui/relative-time.tsx';
import { remainingTimeText, useTimeLeft } from './kicked.ts';
import { useFlipped } from './live-presence.ts';

const KickedBadge = ({ until }: { until: string }) => {
  const { t } = useTranslation('device');
  const left = useTimeLeft(until);
  if (left <= 0) return null;
  return (
    <Tooltip title={t('kickedUntil', { time: absoluteText(until) })}>
      <span className="dc-tag dc-tag-warning">{t('kickedFor', { left: remainingTimeText(left) })}</span>
    </Tooltip>
  );
};

/** Restrictions that keep a device offline, shown next to its status. */
export const RestrictionBadges = ({
  device: { blacklisted, kickedUntil },
}: {
  device: Pick<DeviceRow, 'blacklisted' | 'kickedUntil'>;
}) => {
  const { t } = useTranslation('device');
  return (
    <>
      {blacklisted === 1 && <span className="dc-tag dc-tag-failed">{t('blacklisted')}</span>}
      {kickedUntil !== '' && <KickedBadge until={kickedUntil} />}
    </>
  );
};

/** Why a device is offline, unless a badge already shows it. */
export const OfflineCause = ({ device: { offlineReason } }: { device: Pick<DeviceRow, 'offlineReason'> }) => {
  const { t } = useTranslation('device');
  if (offlineReason === null) return null;
  const { kind, cause } = offlineReason;
  if (kind === 'blacklisted' || kind === 'kicked') return null;
  const key = kind === 'disconnected' && isDisconnectReason(cause) ? cause : kind;
  return <span className="dc-offline-cause dc-muted">{t(`offline_${key}`)}</span>;
};

/** The presence; it flashes once when it changes while shown. */
export const Presence = ({ device: { deviceId, online } }: { device: Pick<DeviceRow, 'deviceId' | 'online'> }) => {
  const { t } = useTranslation('device');
  const flipped = useFlipped(deviceId);
  return (
    <span className="dc-presence" data-flipped={flipped}>
      <PresenceDot online={online === 1}>{t(online === 1 ? 'online' : 'offline')}</PresenceDot>
    </span>
  );
};
