import { type DeviceDetails, deviceCalls } from '@device-center/contract';
import { Form, Input, Modal } from 'antd';
import { useTranslation } from 'react-i18next';
import { useCommand } from '../../../api/use-call.ts';
import { Field } from '../../../ui/field.tsx';

type RenameDialogProps = { device: DeviceDetails; onClose: () => void };

export const RenameDialog = ({ device: { deviceId, deviceName }, onClose }: RenameDialogProps) => {
  const { t } = useTranslation(['deviceDetail', 'common']);
  const [form] = Form.useForm<{ deviceName: string }>();
  const rename = useCommand(deviceCalls.updateDevice, { toast: true, onSuccess: onClose });
  return (
    <Modal
      open
      width={440}
      title={t('deviceDetail:renameTitle')}
      okText={t('common:save')}
      cancelText={t('common:cancel')}
      confirmLoading={rename.isPending}
      onOk={() => form.submit()}
      onCancel={onClose}
    >
      <Form
        form={form}
        layout="vertical"
        initialValues={{ deviceName }}
        onFinish={(typed) => rename.mutate({ deviceId, deviceName: typed.deviceName })}
      >
        <Field
          name="deviceName"
          label={t('deviceDetail:deviceName')}
          schema={deviceCalls.updateDevice.input.shape.deviceName}
        >
          <Input autoComplete="off" />
        </Field>
      </Form>
      {rename.error && (
        <p className="dc-field-error" role="alert">
          {rename.error.message}
        </p>
      )}
    </Modal>
  );
};
