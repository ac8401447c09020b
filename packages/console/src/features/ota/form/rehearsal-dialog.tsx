import { NAME_MAX, otaCalls } from '@device-center/contract';
import { Form, Input, InputNumber, Modal } from 'antd';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useCallMutation } from '../../../api/use-call.ts';
import { taskPath } from '../../../paths.ts';
import { Field } from '../../../ui/field.tsx';
import { useOnline } from '../../../ui/media.ts';
import { useNavigate } from '../../../ui/routing.ts';
import { saveDraft } from './drafts.ts';
import { rolloutOf, type TaskFields } from './task-fields.ts';

const rules = otaCalls.rehearseDeviceOtaTask.input.shape;

const faults = ['download', 'verification', 'install', 'silent', 'offline'] as const;
type Fault = (typeof faults)[number];

type RehearsalFields = {
  taskName: string;
  devices: number;
  fromVersion: string;
  timeout: number;
  stageWait: number;
} & Record<Fault, number>;

/** Task name for a version; names may not contain dots. */
const nameFor = (word: string, versionNumber: string): string =>
  `${word}-${versionNumber.replaceAll(/[^A-Za-z0-9]/g, '-')}`.slice(0, NAME_MAX);

type RehearsalDialogProps = { taskFields: TaskFields; versionNumber: string; onClose: () => void };

/** Starts a rehearsal of the task on new mock devices, of which some fail as configured. */
export const RehearsalDialog = ({ taskFields, versionNumber, onClose }: RehearsalDialogProps) => {
  const { t } = useTranslation(['otaForm', 'common']);
  const navigate = useNavigate();
  const [form] = Form.useForm<RehearsalFields>();
  const [errorMessage, setErrorMessage] = useState('');
  const online = useOnline();
  const rehearse = useCallMutation(otaCalls.rehearseDeviceOtaTask);
  const initial: RehearsalFields = {
    taskName: taskFields.taskName || nameFor(t('otaForm:rehearsalName'), versionNumber),
    devices: 10,
    // The current version of the real devices, if the task selects devices by version.
    fromVersion: taskFields.versionNumber[0] ?? '0.0.1',
    // Short, because a rehearsal need not wait as long as for real devices.
    timeout: 1,
    stageWait: 0,
    download: 1,
    verification: 0,
    install: 1,
    silent: 0,
    offline: 0,
  };
  const failing = Form.useWatch((values) => faults.reduce((sum, fault) => sum + (values[fault] ?? 0), 0), form) ?? 0;
  const devices = Form.useWatch('devices', form) ?? initial.devices;
  const start = async (fields: RehearsalFields) => {
    setErrorMessage('');
    try {
      const { taskId } = await rehearse.mutateAsync({
        ...rolloutOf(taskFields),
        ...fields,
        deviceVersionId: taskFields.deviceVersionId,
      });
      saveDraft(taskId, taskFields);
      // The form values are stored, so leaving needs no confirmation.
      await navigate({ to: taskPath(taskId), ignoreBlocker: true });
    } catch (error) {
      setErrorMessage(error instanceof Error ? error.message : String(error));
    }
  };
  return (
    <Modal
      open
      width={520}
      title={t('otaForm:rehearseTitle')}
      okText={t('otaForm:rehearseStart')}
      cancelText={t('common:cancel')}
      confirmLoading={rehearse.isPending}
      okButtonProps={{ disabled: failing > devices || !online }}
      onOk={form.submit}
      onCancel={onClose}
    >
      <p className="dc-muted">{t('otaForm:rehearseText')}</p>
      <Form<RehearsalFields>
        form={form}
        className="dc-rehearsal"
        layout="vertical"
        initialValues={initial}
        disabled={rehearse.isPending}
        onFinish={(fields) => void start(fields)}
      >
        <Field name="taskName" label={t('otaForm:taskName')} schema={rules.taskName}>
          <Input />
        </Field>
        <div className="dc-form-pair">
          <Field name="devices" label={t('otaForm:mockDevices')} schema={rules.devices}>
            <InputNumber />
          </Field>
          <Field name="fromVersion" label={t('otaForm:fromVersion')} schema={rules.fromVersion}>
            <Input />
          </Field>
        </div>
        <fieldset className="dc-rehearsal-faults">
          <legend>{t('otaForm:faults')}</legend>
          {faults.map((fault) => (
            <Field key={fault} name={fault} label={t(`otaForm:fault_${fault}`)} schema={rules[fault]}>
              <InputNumber />
            </Field>
          ))}
        </fieldset>
        <p role="status" className={failing > devices ? 'dc-told-failed' : 'dc-muted'}>
          {failing > devices ? t('otaForm:tooManyFaults') : t('otaForm:faultSum', { failing, fine: devices - failing })}
        </p>
        <div className="dc-form-pair">
          <Field name="timeout" label={t('otaForm:rehearsalTimeout')} schema={rules.timeout}>
            <InputNumber suffix={t('otaForm:minutes')} />
          </Field>
          <Field name="stageWait" label={t('otaForm:stageWait')} schema={rules.stageWait}>
            <InputNumber suffix={t('otaForm:minutes')} />
          </Field>
        </div>
        {errorMessage !== '' && (
          <p role="alert" className="dc-told-failed">
            {errorMessage}
          </p>
        )}
      </Form>
    </Modal>
  );
};
