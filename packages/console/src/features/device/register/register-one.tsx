import {
  type DeviceFacts,
  deviceCalls,
  fields,
  forEachFact,
  NodeType,
  type Output,
  type ProductRow,
} from '@device-center/contract';
import { useSearch } from '@tanstack/react-router';
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
import { FactFields } from '../device-facts.tsx';
import { countedElsewhere } from '../list/pending-action.ts';
import type { Credentials } from './credentials.ts';
import { ModeSwitch } from './mode-switch.tsx';
import { randomDeviceId } from './random-id.ts';
import { registerSearch } from './register-search.ts';

const rules = deviceCalls.addDevice.input.shape;

type DeviceFields = DeviceFacts & { productId: string; applicationId: string; deviceId: string; deviceName: string };

/** Besides value and change, the form's field hands down what a screen reader needs. */
type IdInputProps = { value?: string; onChange?: (value: string) => void } & Omit<InputProps, 'value' | 'onChange'>;

/** The id that stands on the device, or one made up here. */
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

/** Without a default of the product, the hub needs to be told one. */
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
  /** To begin with; '' for none. */
  product: string;
  onMade: (made: Credentials) => void;
};

export const RegisterOne = ({ product: first, onMade }: RegisterOneProps) => {
  const { t } = useTranslation(['device', 'shell']);
  const [form] = Form.useForm<DeviceFields>();
  const asked = registerSearch.parse(useSearch({ strict: false }));
  const [initial] = useState<DeviceFields>(() => ({
    productId: first,
    applicationId: asked.applicationId ?? '',
    deviceId: '',
    deviceName: '',
    ...forEachFact(() => ''),
  }));
  const productId = Form.useWatch('productId', form) ?? initial.productId;
  const applicationId = Form.useWatch('applicationId', form) ?? initial.applicationId;
  const products = useProductChoices(productId);
  const { product } = products;
  const applications = useApplicationChoices(applicationId, { tenancyId: product?.tenancyId ?? '' });
  const add = useCallMutation(deviceCalls.addDevice, { alsoRefreshes: countedElsewhere });

  const tenancyId = product?.tenancyId;
  const before = useRef(tenancyId);
  useEffect(() => {
    // An application of another tenant is none for this product.
    if (before.current !== undefined && tenancyId !== undefined && before.current !== tenancyId)
      form.setFieldValue('applicationId', '');
    before.current = tenancyId ?? before.current;
  }, [form, tenancyId]);

  const submit = async (values: DeviceFields) => {
    const answer = await add.mutateAsync({ ...values, applicationId: values.applicationId ?? '' });
    if (product) onMade({ ...answer, product });
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
      // The page of credentials takes this one's place.
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
        <FactFields rules={rules} />
      </FormSection>
    </FormPage>
  );
};
