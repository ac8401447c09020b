import { type DeviceDetails, type DeviceFacts, deviceCalls, forEachFact } from '@device-center/contract';
import { Form, Input, Modal } from 'antd';
import { useTranslation } from 'react-i18next';
import { useCommand } from '../../../api/use-call.ts';
import { Field } from '../../../ui/field.tsx';
import { FactFields } from '../device-facts.tsx';

type EditDialogProps = { device: DeviceDetails; onClose: () => void };
type Edited = DeviceFacts & { deviceName: string };

const rules = deviceCalls.updateDevice.input.shape;

export const EditDialog = ({ device, onClose }: EditDialogProps) => {
  const { t } = useTranslation(['deviceDetail', 'common']);
  const [form] = Form.useForm<Edited>();
  const edit = useCommand(deviceCalls.updateDevice, { toast: true, onSuccess: onClose });
  const { deviceId, deviceName } = device;
  return (
    <Modal
      open
      width={440}
      title={t('deviceDetail:editTitle')}
      okText={t('common:save')}
      cancelText={t('common:cancel')}
      confirmLoading={edit.isPending}
      onOk={() => form.submit()}
      onCancel={onClose}
    >
      <Form
        form={form}
        layout="vertical"
        initialValues={{ deviceName, ...forEachFact((fact) => device[fact]) }}
        onFinish={(typed) => edit.mutate({ deviceId, ...typed })}
      >
        <Field name="deviceName" label={t('deviceDetail:deviceName')} schema={rules.deviceName}>
          <Input autoComplete="off" />
        </Field>
        <FactFields rules={rules} />
      </Form>
      {edit.error && (
        <p className="dc-field-error" role="alert">
          {edit.error.message}
        </p>
      )}
    </Modal>
  );
};
