import { controlCalls, type DeviceDetails, type OfflineReason } from '@device-center/contract';
import { useNavigate } from '@tanstack/react-router';
import { Info, Stethoscope } from 'lucide-react';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useCan } from '../../../api/session.ts';
import { useCallMutation } from '../../../api/use-call.ts';
import { applicationPath, devicePath, productPath, tenantListPath } from '../../../paths.ts';
import { Button } from '../../../ui/button.tsx';
import { absoluteText, RelativeTime } from '../../../ui/relative-time.tsx';
import { leftText, useTimeLeft } from '../list/kicked.ts';
import { useUnblack } from '../list/use-unblack.tsx';
import type { DeviceTab } from './device-detail-search.ts';
import { detailText, explainWhy } from './reason-texts.ts';

type WayOutProps = { why: OfflineReason; device: DeviceDetails; onOpen: (tab: DeviceTab) => void };

type GoProps = { to: string; search?: Record<string, string>; children: ReactNode };

const Go = ({ to, search = {}, children }: GoProps) => {
  const navigate = useNavigate();
  return (
    <Button size="small" onClick={() => void navigate({ to, search: search as never })}>
      {children}
    </Button>
  );
};

const TakeOff = ({ device }: { device: DeviceDetails }) => {
  const { t } = useTranslation('device');
  const mayChange = useCan('device:blacklist');
  const unblack = useUnblack();
  if (!mayChange) return null;
  return (
    <Button size="small" onClick={() => unblack([device])}>
      {t('unblack')}
    </Button>
  );
};

const Release = ({ deviceId }: { deviceId: string }) => {
  const { t } = useTranslation('device');
  const mayWrite = useCan('device:write');
  const command = useCallMutation(controlCalls.kickOut, { toast: true });
  if (!mayWrite) return null;
  return (
    <Button size="small" loading={command.isPending} onClick={() => command.mutate({ deviceId, op: 0 })}>
      {t('releaseOne')}
    </Button>
  );
};

/** The button that leads to where it can be mended, for those who may go there. */
const WayOut = ({ why, device, onOpen }: WayOutProps) => {
  const { t } = useTranslation('deviceDetail');
  const mayRead = useCan('device:read');
  const mayApplications = useCan('application:write');
  const mayTenants = useCan('tenancy:write');
  const mayProducts = useCan('product:read');
  const connections = mayRead && (
    <Button size="small" onClick={() => onOpen('connections')}>
      {t('goConnections')}
    </Button>
  );
  switch (why.kind) {
    case 'tenancyClosed':
      return (
        mayTenants && (
          <Go to={tenantListPath} search={{ tenancyName: device.tenancyName }}>
            {t('goTenancy')}
          </Go>
        )
      );
    case 'applicationDisabled':
      return mayApplications && <Go to={applicationPath(device.applicationId, 2)}>{t('goApplication')}</Go>;
    case 'blacklisted':
      return <TakeOff device={device} />;
    case 'kicked':
      return <Release deviceId={device.deviceId} />;
    case 'gatewayOffline':
      return device.parentId !== '' && <Go to={devicePath(device.parentId)}>{t('goGateway')}</Go>;
    case 'neverConnected':
      return mayProducts && <Go to={productPath(device.productId)}>{t('goProduct')}</Go>;
    case 'refused':
    case 'disconnected':
      return connections;
  }
};

/** A restriction counts down to its end; all else has happened. */
const WhyTime = ({ why: { kind, time } }: { why: OfflineReason }) => {
  const { t } = useTranslation(['deviceDetail', 'device']);
  const left = useTimeLeft(kind === 'kicked' ? time : '');
  if (time === '') return null;
  if (kind !== 'kicked') return <RelativeTime value={time} />;
  return (
    <span className="dc-time">
      {t('deviceDetail:diagnosisUntil', { time: absoluteText(time) })}
      {left > 0 && ` · ${t('deviceDetail:kickedLeft', { left: leftText(left) })}`}
    </span>
  );
};

type Event = { time: string; what: string; text: string };

/** What has happened, and when, in the order of time. */
const useEvents = (device: DeviceDetails): Event[] => {
  const { t } = useTranslation(['deviceDetail', 'device']);
  const events = device.why.flatMap((why): Event[] => {
    const { kind, time } = why;
    const { said, cause } = explainWhy(why);
    switch (kind) {
      case 'blacklisted':
        return [{ time, what: t('device:blacklisted'), text: t('deviceDetail:diagnosisBy', { by: device.blackBy }) }];
      case 'kicked':
        return [{ time, what: t('deviceDetail:diagnosisEnds'), text: '' }];
      case 'refused':
        return [{ time, what: t('deviceDetail:status_3'), text: cause }];
      case 'disconnected':
        return [{ time, what: t('deviceDetail:status_2'), text: cause || said }];
      case 'neverConnected':
        return [{ time: device.createTime, what: t('deviceDetail:registered'), text: '' }];
      default:
        return [];
    }
  });
  return events.filter(({ time }) => time !== '').sort((one, other) => (one.time < other.time ? -1 : 1));
};

/** It connects to the hub that manages it, so nothing that could be done here brings it online. */
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

/** Why the device is offline: what to look into first, the one thing to do about it, and how it came to that. */
export const DiagnosisCard = ({ device, onOpen }: DiagnosisCardProps) => {
  const { t } = useTranslation('deviceDetail');
  const events = useEvents(device);
  const [first] = device.why;
  if (device.received === 1) return <ReceivedCard />;
  if (!isDiagnosed(device) || !first) return null;
  const { said, cause, remedy } = explainWhy(first);
  // That a connection has ended is what every cause of its end says.
  const [title, more] = first.kind === 'disconnected' && cause !== '' ? [cause, ''] : [said, cause];
  return (
    <section className="dc-card dc-diagnosis" aria-labelledby="device-diagnosis">
      <h2 id="device-diagnosis">
        <Stethoscope size={16} aria-hidden />
        {t('diagnosis')}
      </h2>
      <div className="dc-diagnosis-cause">
        <div>
          <p>
            <strong>{title}</strong> <WhyTime why={first} />
          </p>
          {more !== '' && <p>{more}</p>}
          {first.detail !== '' && <p className="dc-mono">{detailText(first.detail)}</p>}
          <p className="dc-muted">{remedy}</p>
        </div>
        <WayOut why={first} device={device} onOpen={onOpen} />
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
