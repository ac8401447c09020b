import { controlCalls, type DeviceDetails, type DeviceWhy, visibleText } from '@device-center/contract';
import { useNavigate } from '@tanstack/react-router';
import { Info, Stethoscope } from 'lucide-react';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useCan } from '../../../api/session.ts';
import { useCommand } from '../../../api/use-call.ts';
import { applicationPath, devicePath, productPath, tenantListPath } from '../../../paths.ts';
import { Button } from '../../../ui/button.tsx';
import { absoluteText, RelativeTime } from '../../../ui/relative-time.tsx';
import { useUnblack } from '../list/use-unblack.tsx';
import type { DeviceTab } from './device-detail-search.ts';
import { explainWhy } from './reason-words.ts';

type WayOutProps = { why: DeviceWhy; device: DeviceDetails; onOpen: (tab: DeviceTab) => void };

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
  const command = useCommand(controlCalls.kickOut, { toast: true });
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

const WhyTime = ({ why: { kind, time } }: { why: DeviceWhy }) => {
  const { t } = useTranslation('deviceDetail');
  if (time === '') return null;
  if (kind !== 'kicked') return <RelativeTime value={time} />;
  return <span className="dc-time">{t('diagnosisUntil', { time: absoluteText(time) })}</span>;
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

/** Why the device is away, the first thing to look into first. */
export const DiagnosisCard = ({ device, onOpen }: DiagnosisCardProps) => {
  const { t } = useTranslation('deviceDetail');
  if (device.received === 1) return <ReceivedCard />;
  if (device.online === 1 || device.why.length === 0) return null;
  return (
    <section className="dc-card dc-diagnosis" aria-labelledby="device-diagnosis">
      <h2 id="device-diagnosis">
        <Stethoscope size={16} aria-hidden />
        {t('diagnosis')}
      </h2>
      <ol>
        {device.why.map((why) => {
          const { said, cause, remedy } = explainWhy(why);
          return (
            <li key={why.kind}>
              <div>
                <p>
                  <strong>{said}</strong> <WhyTime why={why} />
                </p>
                {cause !== '' && <p>{cause}</p>}
                {why.detail !== '' && <p className="dc-mono">{visibleText(why.detail)}</p>}
                <p className="dc-muted">{remedy}</p>
              </div>
              <WayOut why={why} device={device} onOpen={onOpen} />
            </li>
          );
        })}
      </ol>
    </section>
  );
};
