import { type DeviceAttributes, type DeviceDetails, deviceCalls, mapAttributes } from '@device-center/contract';
import { Form, Input, Modal } from 'antd';
import { useTranslation } from 'react-i18next';
import { useCallMutation } from '../../../api/use-call.ts';
import { Field } from '../../../ui/field.tsx';
import { showFieldErrors, toFormError } from '../../../ui/form-error.ts';
import { useOnline } from '../../../ui/media.ts';
import { AttributeFields } from '../device-attributes.tsx';

type EditDialogProps = { device: DeviceDetails; onClose: () => void };
type EditFields = DeviceAttributes & { deviceName: string };

const rules = deviceCalls.updateDevice.input.shape;

export const EditDialog = ({ device, onClose }: EditDialogProps) => {
  const { t } = useTranslation(['deviceDetail', 'common']);
  const [form] = Form.useForm<EditFields>();
  const online = useOnline();
  const edit = useCallMutation(deviceCalls.updateDevice, { toast: true, onSuccess: onClose });
  const { deviceId, deviceName } = device;
  const save = (typed: EditFields) =>
    edit.mutate({ deviceId, ...typed }, { onError: (error) => showFieldErrors(form, toFormError(error)) });
  const hasFieldErrors = edit.error !== null && edit.error.details.length > 0;
  return (
    <Modal
      open
      width={440}
      title={t('deviceDetail:editTitle')}
      okText={t('common:save')}
      cancelText={t('common:cancel')}
      confirmLoading={edit.isPending}
      okButtonProps={{ disabled: !online }}
      onOk={() => form.submit()}
      onCancel={onClose}
    >
      <Form
        form={form}
        layout="vertical"
        initialValues={{ deviceName, ...mapAttributes((attribute) => device[attribute]) }}
        onFinish={save}
      >
        <Field name="deviceName" label={t('deviceDetail:deviceName')} schema={rules.deviceName}>
          <Input autoComplete="off" />
        </Field>
        <AttributeFields rules={rules} />
      </Form>
      {edit.error && !hasFieldErrors && (
        <p className="dc-field-error" role="alert">
          {edit.error.message}
        </p>
      )}
    </Modal>
  );
};
