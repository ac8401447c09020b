import { controlCalls, type DeviceDetails, type OfflineReason } from '@device-center/contract';
import { Info, Stethoscope } from 'lucide-react';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useCan } from '../../../api/session.ts';
import { useCallMutation } from '../../../api/use-call.ts';
import { applicationPath, devicePath, productPath, tenantListPath } from '../../../paths.ts';
import { Button } from '../../../ui/button.tsx';
import { absoluteText, RelativeTime } from '../../../ui/relative-time.tsx';
import { type Path, useNavigate } from '../../../ui/routing.ts';
import { remainingTimeText, useTimeLeft } from '../list/kicked.ts';
import { useRemoveFromBlacklist } from '../list/use-remove-from-blacklist.tsx';
import type { DeviceTab } from './device-detail-search.ts';
import { detailText, explainOfflineReason } from './reason-texts.ts';

type RemedyActionProps = { reason: OfflineReason; device: DeviceDetails; onOpen: (tab: DeviceTab) => void };

type NavigateButtonProps<Search> = { to: Path<Search>; search?: NoInfer<Search>; children: ReactNode };

const NavigateButton = <Search,>({ to, search, children }: NavigateButtonProps<Search>) => {
  const navigate = useNavigate();
  return (
    <Button size="small" onClick={() => void navigate({ to, search })}>
      {children}
    </Button>
  );
};

const UnblacklistButton = ({ device }: { device: DeviceDetails }) => {
  const { t } = useTranslation('device');
  const mayChange = useCan('device:blacklist');
  const removeFromBlacklist = useRemoveFromBlacklist();
  if (!mayChange) return null;
  return (
    <Button size="small" onClick={() => removeFromBlacklist([device])}>
      {t('unblack')}
    </Button>
  );
};

const ReleaseButton = ({ deviceId }: { deviceId: string }) => {
  const { t } = useTranslation('device');
  const mayWrite = useCan('device:write');
  const kickOut = useCallMutation(controlCalls.kickOut, { toast: true });
  if (!mayWrite) return null;
  return (
    <Button size="small" loading={kickOut.isPending} onClick={() => kickOut.mutate({ deviceId, op: 0 })}>
      {t('releaseOne')}
    </Button>
  );
};

/** The button that removes the cause or opens the page for that, if the user may. */
const RemedyAction = ({ reason, device, onOpen }: RemedyActionProps) => {
  const { t } = useTranslation('deviceDetail');
  const mayRead = useCan('device:read');
  const mayWriteApplications = useCan('application:write');
  const mayWriteTenants = useCan('tenancy:write');
  const mayReadProducts = useCan('product:read');
  const connections = mayRead && (
    <Button size="small" onClick={() => onOpen('connections')}>
      {t('goConnections')}
    </Button>
  );
  switch (reason.kind) {
    case 'tenancyClosed':
      return (
        mayWriteTenants && (
          <NavigateButton to={tenantListPath} search={{ tenancyName: device.tenancyName }}>
            {t('goTenancy')}
          </NavigateButton>
        )
      );
    case 'applicationDisabled':
      return (
        mayWriteApplications && (
          <NavigateButton to={applicationPath(device.applicationId, 2)}>{t('goApplication')}</NavigateButton>
        )
      );
    case 'blacklisted':
      return <UnblacklistButton device={device} />;
    case 'kicked':
      return <ReleaseButton deviceId={device.deviceId} />;
    case 'gatewayOffline':
      return (
        device.parentId !== '' && <NavigateButton to={devicePath(device.parentId)}>{t('goGateway')}</NavigateButton>
      );
    case 'neverConnected':
      return mayReadProducts && <NavigateButton to={productPath(device.productId)}>{t('goProduct')}</NavigateButton>;
    case 'refused':
    case 'disconnected':
      return connections;
  }
};

/** Counts down to the end of a kick. Other reasons show when they occurred. */
const ReasonTime = ({ reason: { kind, time } }: { reason: OfflineReason }) => {
  const { t } = useTranslation(['deviceDetail', 'device']);
  const left = useTimeLeft(kind === 'kicked' ? time : '');
  if (time === '') return null;
  if (kind !== 'kicked') return <RelativeTime value={time} />;
  return (
    <span className="dc-time">
      {t('deviceDetail:diagnosisUntil', { time: absoluteText(time) })}
      {left > 0 && ` · ${t('deviceDetail:kickedLeft', { left: remainingTimeText(left) })}`}
    </span>
  );
};

type Event = { time: string; what: string; text: string };

/** The events that led to the state, in chronological order. */
const useEvents = (device: DeviceDetails): Event[] => {
  const { t } = useTranslation(['deviceDetail', 'device']);
  const events = device.why.flatMap((reason): Event[] => {
    const { kind, time } = reason;
    const { text, cause } = explainOfflineReason(reason);
    switch (kind) {
      case 'blacklisted':
        return [{ time, what: t('device:blacklisted'), text: t('deviceDetail:diagnosisBy', { by: device.blackBy }) }];
      case 'kicked':
        return [{ time, what: t('deviceDetail:diagnosisEnds'), text: '' }];
      case 'refused':
        return [{ time, what: t('deviceDetail:status_3'), text: cause }];
      case 'disconnected':
        return [{ time, what: t('deviceDetail:status_2'), text: cause || text }];
      case 'neverConnected':
        return [{ time: device.createTime, what: t('deviceDetail:registered'), text: '' }];
      default:
        return [];
    }
  });
  return events.filter(({ time }) => time !== '').sort((a, b) => (a.time < b.time ? -1 : 1));
};

/** A received device connects to the hub that manages it, so no action on this page can bring it online. */
const ReceivedCard = () => {
  const { t } = useTranslation('deviceDetail');
  return (
    <section className="dc-card dc-diagnosis" aria-labelledby="device-received">
      <h2 id="device-received">
        <Info size={16} aria-hidden />
        {t('receivedTitle')}
      </h2>
      <p className="dc-muted">{t('receivedDiagnosis')}</p>
    </section>
  );
};

type DiagnosisCardProps = { device: DeviceDetails; onOpen: (tab: DeviceTab) => void };

export const isDiagnosed = ({ online, why }: DeviceDetails): boolean => online === 2 && why.length > 0;

/** Why the device is offline: the main cause, the action that removes it, and the events that led to it. */
export const DiagnosisCard = ({ device, onOpen }: DiagnosisCardProps) => {
  const { t } = useTranslation('deviceDetail');
  const events = useEvents(device);
  const [first] = device.why;
  if (device.received === 1) return <ReceivedCard />;
  if (!isDiagnosed(device) || !first) return null;
  const { text, cause, remedy } = explainOfflineReason(first);
  // Every cause of a disconnect already says that the connection ended.
  const [title, more] = first.kind === 'disconnected' && cause !== '' ? [cause, ''] : [text, cause];
  return (
    <section className="dc-card dc-diagnosis" aria-labelledby="device-diagnosis">
      <h2 id="device-diagnosis">
        <Stethoscope size={16} aria-hidden />
        {t('diagnosis')}
      </h2>
      <div className="dc-diagnosis-cause">
        <div>
          <p>
            <strong>{title}</strong> <ReasonTime reason={first} />
          </p>
          {more !== '' && <p>{more}</p>}
          {first.detail !== '' && <p className="dc-mono">{detailText(first.detail)}</p>}
          <p className="dc-muted">{remedy}</p>
        </div>
        <RemedyAction reason={first} device={device} onOpen={onOpen} />
      </div>
      {events.length > 1 && (
        <ol className="dc-diagnosis-events" aria-label={t('diagnosisEvents')}>
          {events.map(({ time, what, text }) => (
            <li key={`${time} ${what}`}>
              <time className="dc-time" dateTime={time}>
                {absoluteText(time)}
              </time>
              <span>
                <strong>{what}</strong> {text}
              </span>
            </li>
          ))}
        </ol>
      )}
    </section>
  );
};
