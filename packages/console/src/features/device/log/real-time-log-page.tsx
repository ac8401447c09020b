import { controlCalls, type DeviceDetails, deviceCalls, type LogLevelId, logLevelIds } from '@device-center/contract';
import { Select, Switch } from 'antd';
import { useId } from 'react';
import { useTranslation } from 'react-i18next';
import { z } from 'zod';
import { ApiError } from '../../../api/api-error.ts';
import { announceFailure } from '../../../api/feedback.ts';
import { useCall, useCallMutation } from '../../../api/use-call.ts';
import { Button } from '../../../ui/button.tsx';
import { CopyId } from '../../../ui/copy-id.tsx';
import { Loaded } from '../../../ui/detail-page.tsx';
import { useRouteParams } from '../../../ui/list-search.ts';
import { LiveDot } from '../../../ui/live-dot.tsx';
import { useOnline } from '../../../ui/media.ts';
import { PageHeader } from '../../../ui/page-header.tsx';
import { EmptyState } from '../../../ui/states.tsx';
import { StatusDot } from '../../../ui/status-dot.tsx';
import { commandErrorText } from '../detail/config-field.tsx';
import { DeviceStatus } from '../detail/device-status.tsx';
import { usePresence } from '../detail/use-presence.ts';
import { LogViewer } from './log-viewer.tsx';
import { useLogStream } from './use-log-stream.ts';
import '../../../ui/styles/reading.css';
import { Link } from '../../../ui/routing.ts';
import '../detail/device-detail.css';
import './log.css';
import { deviceListPath, devicePath } from '../../../paths.ts';

const params = z.object({ deviceId: z.string() });

/** Shows the error of a command that the device rejected: nothing was changed. */
const reportError = (message: string | undefined): void => {
  if (message !== undefined) announceFailure(new ApiError({ status: 409, code: 'REFUSED', message }));
};

const usePushSwitch = ({ deviceId }: DeviceDetails) => {
  const change = useCallMutation(controlCalls.configLogSwitch, {
    onSuccess: (result) => reportError(commandErrorText(result)),
  });
  return { busy: change.isPending, setPush: (on: boolean) => change.mutate({ deviceId, logSwitch: on ? 1 : 0 }) };
};

const LogSettings = ({ device }: { device: DeviceDetails }) => {
  const { t } = useTranslation('deviceDetail');
  const [levelId, pushId] = [useId(), useId()];
  const push = usePushSwitch(device);
  const level = useCallMutation(controlCalls.configLogLevel, {
    onSuccess: (result) => reportError(commandErrorText(result)),
  });
  const offline = device.online !== 1;
  const disabled = !useOnline() || offline;
  const reason = offline ? t('notOnline') : undefined;
  return (
    <div className="dc-live-settings" title={reason}>
      <span>
        <label htmlFor={levelId}>{t('logLevel')}</label>
        <Select<LogLevelId>
          id={levelId}
          options={logLevelIds.map((value) => ({ value, label: t(`level_${value}`) }))}
          value={device.loggerLevel}
          disabled={disabled}
          loading={level.isPending}
          onChange={(logLevel) => level.mutate({ deviceId: device.deviceId, logLevel })}
        />
      </span>
      <span>
        <label htmlFor={pushId}>{t('push')}</label>
        <Switch
          id={pushId}
          checked={device.realTimePushSwitch === 1}
          disabled={disabled}
          loading={push.busy}
          onChange={push.setPush}
        />
      </span>
    </div>
  );
};

/** Explains why there are no lines, and offers a remedy. */
const NoLines = ({ device }: { device: DeviceDetails }) => {
  const { t } = useTranslation('deviceDetail');
  const push = usePushSwitch(device);
  const offline = device.online !== 1;
  if (device.realTimePushSwitch === 0)
    return (
      <EmptyState
        title={t('pushOffTitle')}
        text={offline ? t('notOnline') : t('pushOffText')}
        action={
          !offline && (
            <Button type="primary" loading={push.busy} onClick={() => push.setPush(true)}>
              {t('turnOnPush')}
            </Button>
          )
        }
      />
    );
  if (offline) return <EmptyState title={t('offlineTitle')} text={t('offlineText')} />;
  return <EmptyState title={t('waitingTitle')} text={t('waitingText')} />;
};

const PushOff = ({ device }: { device: DeviceDetails }) => {
  const { t } = useTranslation('deviceDetail');
  const push = usePushSwitch(device);
  return (
    <p className="dc-note" role="status">
      <strong>{t('pushOffTitle')}</strong> {t('pushOffText')}{' '}
      <Button size="small" disabled={device.online !== 1} loading={push.busy} onClick={() => push.setPush(true)}>
        {t('turnOnPush')}
      </Button>
    </p>
  );
};

type RealTimeLogProps = { device: DeviceDetails; refetch: () => unknown };

const RealTimeLog = ({ device: fetched, refetch }: RealTimeLogProps) => {
  const { t } = useTranslation('deviceDetail');
  const { device, applyPresence } = usePresence(fetched, refetch);
  const { deviceId, deviceName } = device;
  const { buffer, state, lastAt, clear } = useLogStream({ deviceId, onPresence: applyPresence });
  const hasLines = buffer.entries.length > 0;
  return (
    <div className="dc-live-page">
      <PageHeader
        title={`${t('realTimeLog')} · ${deviceName}`}
        backTo={devicePath(deviceId)}
        subtitle={
          <>
            <CopyId value={deviceId} /> <DeviceStatus device={device} />
            {/* The stream is open either way, but without push it delivers no lines. */}
            {state.kind === 'live' && device.realTimePushSwitch === 0 ? (
              <StatusDot tone="offline">{t('pushOff')}</StatusDot>
            ) : (
              <LiveDot state={state} />
            )}
          </>
        }
        actions={<LogSettings device={device} />}
      />
      {hasLines && device.realTimePushSwitch === 0 && <PushOff device={device} />}
      <LogViewer
        deviceId={deviceId}
        buffer={buffer}
        lastAt={lastAt}
        onClear={clear}
        emptyState={<NoLines device={device} />}
      />
    </div>
  );
};

const RealTimeLogPage = () => {
  const { t } = useTranslation('common');
  const { deviceId } = useRouteParams(params);
  const query = useCall(deviceCalls.getDeviceDetails, { deviceId });
  return (
    <Loaded<DeviceDetails> query={query} action={<Link to={deviceListPath}>{t('back')}</Link>}>
      {(device) => <RealTimeLog key={deviceId} device={device} refetch={query.refetch} />}
    </Loaded>
  );
};

export default RealTimeLogPage;
