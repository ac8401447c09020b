import { controlCalls, type DeviceRow, deviceCalls } from '@device-center/contract';
import { Input, InputNumber, Radio } from 'antd';
import { type ReactNode, useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { announceSuccess } from '../../../api/feedback.ts';
import { useCallMutation } from '../../../api/use-call.ts';
import { ConfirmDelete } from '../../../ui/confirm-delete.tsx';
import { NameList } from '../../../ui/name-list.tsx';
import { problemOf } from '../../../ui/plain-field.tsx';
import { assertCommandDone } from './assert-command-done.ts';
import { listsWithDeviceCount, type PendingAction, useStartJob } from './pending-action.ts';

const reasonRule = controlCalls.kickOut.input.shape.reason;
const daysRule = controlCalls.kickOut.input.shape.until;

type DialogProps = { action: PendingAction; onClose: () => void };

/** Runs the action and closes the dialog. An error keeps the dialog open, which shows it. */
const runAndClose =
  ({ action, onClose }: DialogProps, run: () => Promise<unknown> | undefined) =>
  async (): Promise<void> => {
    await run();
    action.done();
    onClose();
  };

const singleOf = (devices: readonly DeviceRow[]): DeviceRow | undefined =>
  devices.length === 1 ? devices[0] : undefined;

const Names = ({ devices }: { devices: readonly DeviceRow[] }) =>
  devices.length > 1 && <NameList names={devices.map(({ deviceName }) => deviceName)} muted />;

const ReasonField = ({ value, onChange }: { value: string; onChange: (value: string) => void }) => {
  const { t } = useTranslation('device');
  const id = useId();
  const problem = problemOf(reasonRule, value);
  return (
    <div className="dc-dialog-field">
      <label htmlFor={id}>{t('reason')}</label>
      <Input
        id={id}
        value={value}
        placeholder={t('reasonHint')}
        aria-invalid={problem !== ''}
        aria-describedby={`${id}-problem`}
        {...(problem === '' ? {} : { status: 'error' as const })}
        onChange={(event) => onChange(event.target.value)}
      />
      <span id={`${id}-problem`} role="alert" className="dc-field-error">
        {problem}
      </span>
    </div>
  );
};

const DialogBody = ({ children }: { children: ReactNode }) => <div className="dc-device-dialog">{children}</div>;

const RestartDialog = (props: DialogProps) => {
  const { t } = useTranslation('device');
  const { devices } = props.action;
  const [type, setType] = useState<1 | 2>(1);
  const start = useStartJob();
  const reboot = useCallMutation(controlCalls.reboot);
  const device = singleOf(devices);
  const offline = devices.filter(({ online }) => online === 2).length;
  const run = async () => {
    if (!device) return start({ kind: 'restart', type }, devices);
    assertCommandDone(await reboot.mutateAsync({ deviceId: device.deviceId, type }));
    announceSuccess(t('restarted', { name: device.deviceName }));
  };
  return (
    <ConfirmDelete
      open
      title={device ? t('restartTitle', { name: device.deviceName }) : t('restartMany', { count: devices.length })}
      okText={t('restart')}
      onConfirm={runAndClose(props, run)}
      onClose={props.onClose}
      text={
        <DialogBody>
          <Names devices={devices} />
          {!device && offline > 0 && <p>{t('restartOffline', { count: offline })}</p>}
          <Radio.Group vertical value={type} onChange={({ target }) => setType(target.value === 2 ? 2 : 1)}>
            <Radio value={1}>{t('restartPlain')}</Radio>
            <Radio value={2}>{t('restartForget')}</Radio>
          </Radio.Group>
        </DialogBody>
      }
    />
  );
};

const BlackDialog = (props: DialogProps) => {
  const { t } = useTranslation('device');
  const { devices } = props.action;
  const [reason, setReason] = useState('');
  const start = useStartJob();
  const mark = useCallMutation(controlCalls.markBlack, { toast: true });
  const device = singleOf(devices);
  const run = async () =>
    device
      ? await mark.mutateAsync({ idList: [device.deviceId], op: 1, reason })
      : start({ kind: 'blacklist', reason }, devices);
  return (
    <ConfirmDelete
      open
      title={device ? t('blackOneTitle', { name: device.deviceName }) : t('blackMany', { count: devices.length })}
      okText={t('blacklist')}
      blocked={problemOf(reasonRule, reason) !== ''}
      onConfirm={runAndClose(props, run)}
      onClose={props.onClose}
      text={
        <DialogBody>
          <p>{t('blackText')}</p>
          <Names devices={devices} />
          <ReasonField value={reason} onChange={setReason} />
        </DialogBody>
      }
    />
  );
};

const KickDialog = (props: DialogProps) => {
  const { t } = useTranslation('device');
  const device = props.action.devices[0];
  const [limited, setLimited] = useState(device?.online === 2);
  const [days, setDays] = useState(1);
  const [reason, setReason] = useState('');
  const kick = useCallMutation(controlCalls.kickOut, { toast: true });
  if (!device) return null;
  const { deviceId, deviceName, online } = device;
  const daysProblem = limited ? problemOf(daysRule, String(days)) : '';
  const run = () => kick.mutateAsync({ deviceId, op: 1, until: limited ? days : 0, reason });
  return (
    <ConfirmDelete
      open
      title={t('kickTitle', { name: deviceName })}
      okText={t('kick')}
      blocked={daysProblem !== '' || problemOf(reasonRule, reason) !== ''}
      onConfirm={runAndClose(props, run)}
      onClose={props.onClose}
      text={
        <DialogBody>
          <Radio.Group vertical value={limited} onChange={({ target }) => setLimited(target.value === true)}>
            <Radio value={false} disabled={online === 2}>
              {t('kickNow')}
            </Radio>
            <Radio value={true}>{t('kickFor')}</Radio>
          </Radio.Group>
          {limited && (
            <InputNumber
              aria-label={t('kickDays')}
              min={1}
              value={days}
              suffix={t('days')}
              onChange={(typed) => setDays(typed ?? 1)}
            />
          )}
          <span role="alert" className="dc-field-error">
            {daysProblem}
          </span>
          <ReasonField value={reason} onChange={setReason} />
        </DialogBody>
      }
    />
  );
};

const DeleteDialog = (props: DialogProps) => {
  const { t } = useTranslation('device');
  const { devices, leaves = false } = props.action;
  const start = useStartJob();
  const remove = useCallMutation(deviceCalls.deleteDevices, {
    toast: true,
    leaves,
    alsoRefreshes: listsWithDeviceCount,
  });
  const device = singleOf(devices);
  const run = async () =>
    device ? await remove.mutateAsync({ deviceIds: [device.deviceId] }) : start({ kind: 'delete' }, devices);
  return (
    <ConfirmDelete
      open
      title={device ? t('deleteTitle', { name: device.deviceName }) : t('deleteMany', { count: devices.length })}
      typed={device ? device.deviceId : String(devices.length)}
      onConfirm={runAndClose(props, run)}
      onClose={props.onClose}
      text={
        <DialogBody>
          <p>{t('deleteText')}</p>
          <Names devices={devices} />
        </DialogBody>
      }
    />
  );
};

const dialogs = { restart: RestartDialog, blacklist: BlackDialog, kick: KickDialog, delete: DeleteDialog };

/** All dialogs of the list, in a chunk of their own: most visits to the list need none. */
const DeviceDialogs = ({ action, onClose }: DialogProps) => {
  const Dialog = dialogs[action.kind];
  return <Dialog action={action} onClose={onClose} />;
};

export default DeviceDialogs;
