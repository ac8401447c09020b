import {
  categoryCalls,
  type NodeTypeId,
  nodeTypes,
  type Output,
  type ProductClassId,
  productCalls,
  protocols,
} from '@device-center/contract';
import { Form, type FormInstance } from 'antd';
import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useTenantChoices } from '../../api/choices.ts';
import { usePlatformOperator } from '../../api/platform-operator.ts';
import { useCan, useSession } from '../../api/session.ts';
import { useCall, useCallMutation } from '../../api/use-call.ts';
import { currentLanguage } from '../../i18n/language.ts';
import { productListPath, productPath } from '../../paths.ts';
import { ChoiceSelect } from '../../ui/choice-select.tsx';
import { Field } from '../../ui/field.tsx';
import { FormPage } from '../../ui/form-page.tsx';
import { usePageSearch } from '../../ui/routing.ts';
import { CategorySection } from './category-section.tsx';
import { KindSection } from './kind-section.tsx';
import { ProductCard } from './product-card.tsx';
import { AccessSection, BasicSection, classNameOf, type ProductFields, rules } from './product-fields.tsx';
import { productFormSearch } from './product-search.ts';
import { SecretDialog } from './secret-dialog.tsx';

type NewFields = ProductFields & {
  categoryId: string;
  nodeType: NodeTypeId;
  protocolId: keyof typeof protocols;
  inheritFunctions: 0 | 1;
  tenancyId: string;
};

const Summary = ({ form }: { form: FormInstance<NewFields> }) => {
  const { t } = useTranslation('product');
  const language = currentLanguage();
  const fields: Partial<NewFields> = Form.useWatch([], form) ?? {};
  const { categoryId = '', nodeType = 1, protocolId = 1, classId, inheritFunctions } = fields;
  const { data: category } = useCall(
    categoryCalls.getCategoryDetails,
    { categoryId },
    { enabled: categoryId !== '', staleTime: 60_000 },
  );
  const inherited = categoryId !== '' && inheritFunctions === 1 && category;
  const count = inherited ? category.propertyCount + category.serviceCount + category.eventCount : 0;
  return (
    <>
      <h2>{t('preview')}</h2>
      <ProductCard
        icon={fields.icon ?? ''}
        nodeType={nodeType}
        title={<span>{fields.productName || t('previewName')}</span>}
        category={categoryId === '' ? '' : (category?.categoryName ?? '')}
        nodeTypeName={nodeTypes[nodeType][language]}
        protocolName={protocols[protocolId][language]}
        className={classNameOf(classId)}
        counts={<span>{t('functionCount', { count })}</span>}
      />
      <p>{t('summaryNew')}</p>
    </>
  );
};

export const CreateProduct = () => {
  const { t } = useTranslation(['product', 'shell']);
  const [form] = Form.useForm<NewFields>();
  const session = useSession();
  const operator = usePlatformOperator();
  const mayTenants = useCan('tenancy:list');
  const requested = usePageSearch(productFormSearch);
  const add = useCallMutation(productCalls.addDeviceProduct, { alsoRefreshes: [categoryCalls.getCategoryList] });
  const [initial] = useState<NewFields>(() => ({
    productName: '',
    description: '',
    icon: '',
    classId: undefined,
    applicationId: '',
    allowRegister: 1,
    allowMd5: 1,
    categoryId: requested.categoryId ?? '',
    nodeType: 1,
    protocolId: 1,
    inheritFunctions: 1,
    tenancyId: (operator ? requested.tenancyId : undefined) ?? session?.tenancyId ?? '',
  }));
  const tenancyId = Form.useWatch('tenancyId', form) ?? initial.tenancyId;
  const tenants = useTenantChoices(mayTenants ? tenancyId : undefined);
  const before = useRef(tenancyId);
  useEffect(() => {
    // Deselect the application of another tenant.
    if (before.current !== tenancyId) form.setFieldValue('applicationId', '');
    before.current = tenancyId;
  }, [form, tenancyId]);

  return (
    <FormPage<NewFields, Output<typeof productCalls.addDeviceProduct>>
      title={t('shell:addProductTitle')}
      form={form}
      initial={initial}
      backTo={productListPath}
      leadsTo={({ productId }) => productPath(productId)}
      onSubmit={({ tenancyId: owner, classId, applicationId, ...values }) =>
        add.mutateAsync({
          ...values,
          classId: classId as ProductClassId,
          applicationId: applicationId ?? '',
          ...(operator ? { tenancyId: owner ?? initial.tenancyId } : {}),
        })
      }
      result={({ productId, productSecret }, leave) => (
        <SecretDialog title={t('secretTitle')} productId={productId} secret={productSecret} onStored={leave} />
      )}
      summary={<Summary form={form} />}
    >
      <BasicSection />
      <CategorySection tenancyId={tenancyId}>
        {operator && mayTenants && (
          <Field name="tenancyId" label={t('tenant')} schema={rules.tenancyId}>
            <ChoiceSelect choices={tenants} />
          </Field>
        )}
      </CategorySection>
      <KindSection />
      <AccessSection tenancyId={tenancyId} />
    </FormPage>
  );
};
