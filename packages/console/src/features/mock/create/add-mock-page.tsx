import {
  applicationCalls,
  deviceCalls,
  fields,
  MOCK_CHILDREN_MAX,
  mockCalls,
  NodeType,
  type Output,
  type ProductRow,
  productCalls,
} from '@device-center/contract';
import { Form, type FormInstance, Input } from 'antd';
import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useApplicationChoices } from '../../../api/choices.ts';
import { useCall, useCallMutation } from '../../../api/use-call.ts';
import { ChoiceSelect } from '../../../ui/choice-select.tsx';
import { Field } from '../../../ui/field.tsx';
import { FormPage, FormSection } from '../../../ui/form-page.tsx';
import '../../../ui/styles/reading.css';
import { usePageSearch } from '../../../ui/routing.ts';
import './add-mock.css';
import { mockListPath, mockPath } from '../../../paths.ts';
import { addMockSearch } from './add-mock-search.ts';
import type { ChildFields } from './child-product-select.tsx';
import { ChildrenFields } from './children-fields.tsx';
import { MockSummary } from './mock-summary.tsx';
import { ProductPicker } from './product-picker.tsx';

const rules = mockCalls.createMockDevice.input.shape;

type MockFields = { deviceName: string; productId: string; applicationId: string; children?: ChildFields[] };

const blank: MockFields = { deviceName: '', productId: '', applicationId: '', children: [] };

/** Lists that include the new device. */
const alsoRefreshes = [
  deviceCalls.queryDeviceList,
  productCalls.queryDeviceProductList,
  applicationCalls.queryApplicationList,
];

const useChosenProduct = (form: FormInstance<MockFields>): ProductRow | undefined => {
  const productId = Form.useWatch('productId', form) ?? '';
  const { data } = useCall(
    productCalls.getDeviceProductDetails,
    { productId },
    { enabled: productId !== '', staleTime: 60_000 },
  );
  return data?.productId === productId ? data : undefined;
};

/** Clears applications and child products when a product of another tenant is selected. */
const useResetOnTenantChange = (form: FormInstance<MockFields>, tenancyId: string | undefined): void => {
  const before = useRef(tenancyId);
  useEffect(() => {
    if (before.current !== undefined && tenancyId !== undefined && before.current !== tenancyId) {
      const children = (form.getFieldValue('children') ?? []) as ChildFields[];
      form.setFieldsValue({ applicationId: '', children: children.map((child) => ({ ...child, productId: '' })) });
    }
    before.current = tenancyId ?? before.current;
  }, [form, tenancyId]);
};

const ApplicationField = ({ product }: { product: ProductRow | undefined }) => {
  const { t } = useTranslation('mock');
  const applicationId: string = Form.useWatch('applicationId') ?? '';
  const applications = useApplicationChoices(applicationId, { tenancyId: product?.tenancyId ?? '' });
  const needed = product?.applicationId === '';
  const hint = (): string => {
    if (!product) return t('applicationAfterProduct');
    return needed ? t('applicationNeeded') : t('applicationOptional', { name: product.applicationName });
  };
  return (
    <Field
      name="applicationId"
      label={t('application')}
      // Required if the product has no default application.
      schema={needed ? fields.id() : rules.applicationId}
      hint={hint()}
    >
      <ChoiceSelect
        choices={applications}
        allowClear
        disabled={!product}
        placeholder={product && (product.applicationName || t('application'))}
        {...(applications.none ? { nothing: t('noApplications') } : {})}
      />
    </Field>
  );
};

const AddMockPage = () => {
  const { t } = useTranslation(['mock', 'shell']);
  const [form] = Form.useForm<MockFields>();
  const { productId } = usePageSearch(addMockSearch);
  const [initial] = useState<MockFields>(() => ({ ...blank, productId: productId ?? '' }));
  const product = useChosenProduct(form);
  useResetOnTenantChange(form, product?.tenancyId);
  const create = useCallMutation(mockCalls.createMockDevice, { as: 'json', alsoRefreshes });
  const [gateway, setGateway] = useState(false);
  useEffect(() => {
    // Keep the layout while another product is loading.
    if (product) setGateway(product.nodeType === NodeType.gateway);
  }, [product]);

  return (
    <FormPage<MockFields, Output<typeof mockCalls.createMockDevice>>
      title={t('shell:addMockTitle')}
      form={form}
      initial={initial}
      backTo={mockListPath}
      leadsTo={({ deviceId }) => mockPath(deviceId)}
      onSubmit={({ applicationId, children, ...values }) =>
        create.mutateAsync({
          ...values,
          applicationId: applicationId ?? '',
          children: gateway ? (children ?? []) : [],
        })
      }
      summary={<MockSummary form={form} product={product} />}
    >
      <FormSection title={t('mock:sectionProduct')}>
        <Field name="productId" label={t('mock:productId')} schema={rules.productId} hint={t('mock:productHint')}>
          <ProductPicker />
        </Field>
      </FormSection>
      <FormSection title={t('mock:sectionDevice')}>
        <Field name="deviceName" label={t('mock:deviceName')} schema={rules.deviceName} hint={t('mock:nameHint')}>
          <Input count={{ max: 50, show: true }} />
        </Field>
        <ApplicationField product={product} />
      </FormSection>
      {gateway && product && (
        <FormSection title={t('mock:sectionChildren')}>
          <p className="dc-muted dc-mock-children-hint">{t('mock:childrenHint', { max: MOCK_CHILDREN_MAX })}</p>
          <ChildrenFields tenancyId={product.tenancyId} present={0} />
        </FormSection>
      )}
    </FormPage>
  );
};

export default AddMockPage;
