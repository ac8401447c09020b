import {
  type DeviceAttributes,
  deviceCalls,
  fields,
  mapAttributes,
  NodeType,
  type Output,
  type ProductRow,
} from '@device-center/contract';
import { Form, Input, type InputProps, Space } from 'antd';
import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useApplicationChoices } from '../../../api/choices.ts';
import { useProductChoices } from '../../../api/product-choices.ts';
import { useCallMutation } from '../../../api/use-call.ts';
import { ProductSelect } from '../../../filters/product-select.tsx';
import { deviceListPath } from '../../../paths.ts';
import { Button } from '../../../ui/button.tsx';
import { ChoiceSelect } from '../../../ui/choice-select.tsx';
import { Field } from '../../../ui/field.tsx';
import { FormPage, FormSection } from '../../../ui/form-page.tsx';
import { usePageSearch } from '../../../ui/routing.ts';
import { AttributeFields } from '../device-attributes.tsx';
import { listsWithDeviceCount } from '../list/pending-action.ts';
import type { Credentials } from './credentials.ts';
import { ModeSwitch } from './mode-switch.tsx';
import { randomDeviceId } from './random-id.ts';
import { registerSearch } from './register-search.ts';

const rules = deviceCalls.addDevice.input.shape;

type DeviceFields = DeviceAttributes & {
  productId: string;
  applicationId: string;
  deviceId: string;
  deviceName: string;
};

/** Besides value and onChange, the form item passes accessibility attributes. */
type IdInputProps = { value?: string; onChange?: (value: string) => void } & Omit<InputProps, 'value' | 'onChange'>;

/** Input for the id printed on the device, or for a generated one. */
const DeviceIdInput = ({ value = '', onChange, ...field }: IdInputProps) => {
  const { t } = useTranslation('device');
  return (
    <Space.Compact block>
      <Input
        {...field}
        className="dc-mono"
        autoComplete="off"
        value={value}
        onChange={(event) => onChange?.(event.target.value)}
      />
      <Button onClick={() => onChange?.(randomDeviceId())}>{t('generate')}</Button>
    </Space.Compact>
  );
};

/** Required if the product has no default application. */
const applicationRule = (product: ProductRow | undefined) =>
  product?.applicationId === '' ? fields.id() : rules.applicationId;

const Summary = ({ product }: { product: ProductRow | undefined }) => {
  const { t } = useTranslation('device');
  return (
    <>
      <h2>{t('registerAfter')}</h2>
      <p>{t('registerAfterText')}</p>
      {product?.allowRegister === 1 && <p>{t('registerSelf', { name: product.productName })}</p>}
      {product?.nodeType === NodeType.child && <p>{t('registerChild')}</p>}
    </>
  );
};

type RegisterOneProps = {
  /** The initially selected product; empty for none. */
  product: string;
  onRegistered: (credentials: Credentials) => void;
};

export const RegisterOne = ({ product: initialProductId, onRegistered }: RegisterOneProps) => {
  const { t } = useTranslation(['device', 'shell']);
  const [form] = Form.useForm<DeviceFields>();
  const search = usePageSearch(registerSearch);
  const [initial] = useState<DeviceFields>(() => ({
    productId: initialProductId,
    applicationId: search.applicationId ?? '',
    deviceId: '',
    deviceName: '',
    ...mapAttributes(() => ''),
  }));
  const productId = Form.useWatch('productId', form) ?? initial.productId;
  const applicationId = Form.useWatch('applicationId', form) ?? initial.applicationId;
  const products = useProductChoices(productId);
  const { product } = products;
  const applications = useApplicationChoices(applicationId, { tenancyId: product?.tenancyId ?? '' });
  const add = useCallMutation(deviceCalls.addDevice, { alsoRefreshes: listsWithDeviceCount });

  const tenancyId = product?.tenancyId;
  const previousTenancyId = useRef(tenancyId);
  useEffect(() => {
    // An application of another tenant is not valid for this product.
    if (previousTenancyId.current !== undefined && tenancyId !== undefined && previousTenancyId.current !== tenancyId)
      form.setFieldValue('applicationId', '');
    previousTenancyId.current = tenancyId ?? previousTenancyId.current;
  }, [form, tenancyId]);

  const submit = async (values: DeviceFields) => {
    const answer = await add.mutateAsync({ ...values, applicationId: values.applicationId ?? '' });
    if (product) onRegistered({ ...answer, product });
    return answer;
  };

  return (
    <FormPage<DeviceFields, Output<typeof deviceCalls.addDevice>>
      title={t('shell:registerTitle')}
      form={form}
      initial={initial}
      backTo={deviceListPath}
      submitText={t('register')}
      onSubmit={submit}
      // The credentials page replaces this one.
      result={() => null}
      summary={<Summary product={product} />}
    >
      <ModeSwitch />
      <FormSection title={t('sectionBelongs')}>
        <Field name="productId" label={t('product')} schema={rules.productId}>
          <ProductSelect choices={products} placeholder={t('productPlaceholder')} />
        </Field>
        <Field
          name="applicationId"
          label={t('application')}
          schema={applicationRule(product)}
          hint={product?.applicationId === '' ? t('applicationNeeded') : undefined}
        >
          <ChoiceSelect
            choices={applications}
            allowClear
            disabled={!product}
            placeholder={
              product?.applicationName ? t('applicationDefault', { name: product.applicationName }) : t('application')
            }
          />
        </Field>
      </FormSection>
      <FormSection title={t('sectionDevice')}>
        <Field name="deviceId" label={t('deviceId')} schema={rules.deviceId} hint={t('deviceIdHint')}>
          <DeviceIdInput />
        </Field>
        <Field name="deviceName" label={t('deviceName')} schema={rules.deviceName} hint={t('deviceNameHint')}>
          <Input />
        </Field>
        <AttributeFields rules={rules} />
      </FormSection>
    </FormPage>
  );
};
