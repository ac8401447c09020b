import { controlCalls, type DeviceRow, deviceCalls } from '@device-center/contract';
import { Input, InputNumber, Radio } from 'antd';
import { type ReactNode, useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { announceSuccess } from '../../../api/feedback.ts';
import { useCommand } from '../../../api/use-call.ts';
import { ConfirmDelete } from '../../../ui/confirm-delete.tsx';
import { type Ask, countedElsewhere, useStartJob } from './device-ask.ts';

const NAMES_SHOWN = 10;
const REASON_MAX = 100;
const DAYS_MAX = 3650;

type DialogProps = { ask: Ask; onClose: () => void };

const reasonOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

/** Runs it, and keeps what the hub had to say against it. */
const useConfirm = ({ ask, onClose }: DialogProps) => {
  const [refused, setRefused] = useState<string>();
  const confirm = (run: () => Promise<unknown> | undefined) => async () => {
    try {
      await run();
      ask.done();
      onClose();
    } catch (error) {
      setRefused(reasonOf(error));
    }
  };
  return { refused, confirm };
};

const only = (devices: readonly DeviceRow[]): DeviceRow | undefined => (devices.length === 1 ? devices[0] : undefined);

const Names = ({ devices }: { devices: readonly DeviceRow[] }) => {
  const { t } = useTranslation('device');
  if (devices.length === 1) return null;
  const names = devices.slice(0, NAMES_SHOWN).map(({ deviceName }) => deviceName);
  return (
    <p className="dc-muted">
      {names.join(t('listSeparator'))}
      {devices.length > NAMES_SHOWN && ' …'}
    </p>
  );
};

const ReasonField = ({ value, onChange }: { value: string; onChange: (value: string) => void }) => {
  const { t } = useTranslation('device');
  const id = useId();
  return (
    <div className="dc-dialog-field">
      <label htmlFor={id}>{t('reason')}</label>
      <Input
        id={id}
        value={value}
        maxLength={REASON_MAX}
        placeholder={t('reasonHint')}
        onChange={(event) => onChange(event.target.value)}
      />
    </div>
  );
};

const DialogBody = ({ children }: { children: ReactNode }) => <div className="dc-device-dialog">{children}</div>;

const RestartDialog = (props: DialogProps) => {
  const { t } = useTranslation('device');
  const { devices } = props.ask;
  const { refused, confirm } = useConfirm(props);
  const [type, setType] = useState<1 | 2>(1);
  const start = useStartJob();
  const reboot = useCommand(controlCalls.reboot);
  const device = only(devices);
  const offline = devices.filter(({ online }) => online === 2).length;
  const run = async () => {
    if (!device) return start({ kind: 'restart', type }, devices);
    const { status, code, message } = await reboot.mutateAsync({ deviceId: device.deviceId, type });
    if (status !== 'answered' || code !== 200) throw new Error(message || t('noAnswer'));
    announceSuccess(t('restarted', { name: device.deviceName }));
  };
  return (
    <ConfirmDelete
      open
      title={device ? t('restartTitle', { name: device.deviceName }) : t('restartMany', { count: devices.length })}
      okText={t('restart')}
      refusal={refused}
      onConfirm={confirm(run)}
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
  const { devices } = props.ask;
  const { refused, confirm } = useConfirm(props);
  const [reason, setReason] = useState('');
  const start = useStartJob();
  const mark = useCommand(controlCalls.markBlack, { toast: true });
  const device = only(devices);
  const run = async () =>
    device
      ? await mark.mutateAsync({ idList: [device.deviceId], op: 1, reason })
      : start({ kind: 'blacklist', reason }, devices);
  return (
    <ConfirmDelete
      open
      title={device ? t('blackOneTitle', { name: device.deviceName }) : t('blackMany', { count: devices.length })}
      okText={t('blacklist')}
      refusal={refused}
      onConfirm={confirm(run)}
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
  const device = props.ask.devices[0];
  const { refused, confirm } = useConfirm(props);
  const [limited, setLimited] = useState(device?.online === 2);
  const [days, setDays] = useState(1);
  const [reason, setReason] = useState('');
  const kick = useCommand(controlCalls.kickOut, { toast: true });
  if (!device) return null;
  const { deviceId, deviceName, online } = device;
  const run = () => kick.mutateAsync({ deviceId, op: 1, until: limited ? days : 0, reason });
  return (
    <ConfirmDelete
      open
      title={t('kickTitle', { name: deviceName })}
      okText={t('kick')}
      refusal={refused}
      onConfirm={confirm(run)}
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
              max={DAYS_MAX}
              precision={0}
              value={days}
              suffix={t('days')}
              onChange={(typed) => setDays(typed ?? 1)}
            />
          )}
          <ReasonField value={reason} onChange={setReason} />
        </DialogBody>
      }
    />
  );
};

const DeleteDialog = (props: DialogProps) => {
  const { t } = useTranslation('device');
  const { devices } = props.ask;
  const { refused, confirm } = useConfirm(props);
  const start = useStartJob();
  const remove = useCommand(deviceCalls.deleteDevices, { toast: true, alsoRefreshes: countedElsewhere });
  const device = only(devices);
  const run = async () =>
    device ? await remove.mutateAsync({ deviceIds: [device.deviceId] }) : start({ kind: 'delete' }, devices);
  return (
    <ConfirmDelete
      open
      title={device ? t('deleteTitle', { name: device.deviceName }) : t('deleteMany', { count: devices.length })}
      typed={device ? device.deviceId : String(devices.length)}
      refusal={refused}
      onConfirm={confirm(run)}
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

/** Every question that the list asks, in a part of its own: most visits to the list ask none. */
const DeviceDialogs = ({ ask, onClose }: DialogProps) => {
  const Dialog = dialogs[ask.kind];
  return <Dialog ask={ask} onClose={onClose} />;
};

export default DeviceDialogs;
