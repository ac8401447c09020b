import { deviceCalls, mockCalls } from '@device-center/contract';
import { Alert, Form, Modal } from 'antd';
import { useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useCallMutation } from '../../../api/use-call.ts';
import { Button } from '../../../ui/button.tsx';
import { showFieldErrors, toFormError } from '../../../ui/form-error.ts';
import { useOnline } from '../../../ui/media.ts';
import type { ChildFields } from './child-product-select.tsx';
import { ChildrenFields } from './children-fields.tsx';

type AddChildrenDialogProps = {
  /** `children`: number of existing children. */
  gateway: { deviceId: string; tenancyId: string; children: number };
  open: boolean;
  onClose: () => void;
  onAdded: (deviceIds: string[]) => void;
};

type Fields = { children: ChildFields[] };

const AddChildrenForm = ({ gateway, onClose, onAdded }: Omit<AddChildrenDialogProps, 'open'>) => {
  const { t } = useTranslation(['mock', 'common']);
  const [form] = Form.useForm<Fields>();
  const online = useOnline();
  const [saving, setSaving] = useState(false);
  // State updates on the next render, so a ref prevents that two quick clicks send twice.
  const sending = useRef(false);
  const add = useCallMutation(mockCalls.addMockChildren, {
    as: 'json',
    toast: true,
    alsoRefreshes: [deviceCalls.queryDeviceList],
  });
  const [errorMessage, setErrorMessage] = useState('');
  const chosen: ChildFields[] | undefined = Form.useWatch('children', form);

  const showError = (error: unknown) => {
    const formError = toFormError(error);
    setErrorMessage(formError.message);
    showFieldErrors(form, formError);
  };

  const submit = async ({ children }: Fields) => {
    if (sending.current) return;
    sending.current = true;
    setSaving(true);
    setErrorMessage('');
    try {
      const created = await add.mutateAsync({ deviceId: gateway.deviceId, children });
      onAdded(created.children);
      onClose();
    } catch (error) {
      showError(error);
    } finally {
      sending.current = false;
      setSaving(false);
    }
  };

  return (
    <Form<Fields>
      form={form}
      layout="vertical"
      disabled={saving}
      initialValues={{ children: [] }}
      onFinish={(values) => void submit(values)}
    >
      {errorMessage !== '' && (
        <Alert className="dc-alert" type="error" showIcon title={t('common:addFailed')} description={errorMessage} />
      )}
      <ChildrenFields tenancyId={gateway.tenancyId} present={gateway.children} />
      <div className="dc-mock-dialog-foot">
        <Button onClick={onClose}>{t('common:cancel')}</Button>
        <Button
          type="primary"
          htmlType="submit"
          loading={saving}
          disabled={!online || chosen === undefined || chosen.length === 0}
        >
          {t('mock:addChildrenSubmit')}
        </Button>
      </div>
    </Form>
  );
};

/** Dialog that adds children to a mock gateway, up to its limit. */
export const AddChildrenDialog = ({ open, ...rest }: AddChildrenDialogProps) => {
  const { t } = useTranslation('mock');
  return (
    <Modal open={open} title={t('addChildrenTitle')} width={640} footer={null} destroyOnHidden onCancel={rest.onClose}>
      <AddChildrenForm {...rest} />
    </Modal>
  );
};
