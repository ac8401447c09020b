import { type DeviceDetails, deviceCalls, deviceCodes } from '@device-center/contract';
import { useTranslation } from 'react-i18next';
import { useLive } from '../../../api/live.ts';
import { useCall } from '../../../api/use-call.ts';
import { currentLanguage } from '../../../i18n/language.ts';
import { devicePath } from '../../../paths.ts';
import { Link } from '../../../ui/routing.ts';
import { StatusDot } from '../../../ui/status-dot.tsx';

/** Polls in case the stream is disconnected. */
const POLL_MS = 3_000;

const codes = new Map(Object.entries(deviceCodes));

/** The last rejected login with its remedy, so that a wrong secret or clock is visible here too. */
const LastRejection = ({ device }: { device: DeviceDetails }) => {
  const rejected = device.why.find(({ kind }) => kind === 'refused');
  const code = codes.get(rejected?.cause ?? '');
  if (!code) return null;
  const language = currentLanguage();
  return (
    <p className="dc-waiting-rejected">
      {code[language]} · {code.remedy[language]}
    </p>
  );
};

export const WaitingLine = ({ deviceId }: { deviceId: string }) => {
  const { t } = useTranslation('device');
  const { data: device, refetch } = useCall(
    deviceCalls.getDeviceDetails,
    { deviceId },
    { staleTime: 0, refreshEvery: POLL_MS },
  );
  useLive({ deviceId, kinds: ['presence'], onEvent: () => void refetch(), refetch });
  const online = device?.online === 1;
  const seen = device !== undefined && device.firstConnectTime !== '';
  return (
    <div className="dc-waiting" role="status" data-online={online}>
      {online && (
        <>
          <StatusDot tone="online">{t('waitingOnline')}</StatusDot>
          <Link to={devicePath(deviceId)}>{t('openDevice')}</Link>
        </>
      )}
      {!online && seen && <StatusDot tone="offline">{t('waitingGone')}</StatusDot>}
      {!online && !seen && <StatusDot tone="running">{t('waiting')}</StatusDot>}
      {!online && device && <LastRejection device={device} />}
    </div>
  );
};
