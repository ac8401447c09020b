import { categoryCalls, type Output } from '@device-center/contract';
import { Form } from 'antd';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useCategoryChoices, useTenantChoices } from '../../api/choices.ts';
import { PLATFORM_TENANCY_ID, usePlatformOperator } from '../../api/platform-operator.ts';
import { useCan, useSession } from '../../api/session.ts';
import { useCall, useCallMutation } from '../../api/use-call.ts';
import { categoryListPath, categoryPath } from '../../paths.ts';
import { ChoiceSelect } from '../../ui/choice-select.tsx';
import { Field } from '../../ui/field.tsx';
import { FormPage, FormSection } from '../../ui/form-page.tsx';
import { usePageSearch } from '../../ui/routing.ts';
import { CategoryFields, rules } from './category-fields.tsx';
import { categoryFormSearch } from './category-search.ts';

type NewFields = { categoryName: string; description: string; copyFrom: string; tenancyId: string };
type CreatedCategory = Output<typeof categoryCalls.addCategory>;

const Summary = ({ tenancyId, copyFrom }: { tenancyId: string; copyFrom: string }) => {
  const { t } = useTranslation(['category', 'common']);
  const { data: origin } = useCall(
    categoryCalls.getCategoryDetails,
    { categoryId: copyFrom },
    { enabled: copyFrom !== '' },
  );
  const total = origin ? origin.propertyCount + origin.serviceCount + origin.eventCount : 0;
  return (
    <div className="dc-category-summary">
      <h2>{t('common:summary')}</h2>
      <p>{t(tenancyId === PLATFORM_TENANCY_ID ? 'category:summaryStandard' : 'category:summaryCustom')}</p>
      {origin && <p>{t('category:summaryCopy', { name: origin.categoryName, total, count: total })}</p>}
      <p>{t('category:summaryNew')}</p>
    </div>
  );
};

export const CreateCategory = () => {
  const { t } = useTranslation('category');
  const [form] = Form.useForm<NewFields>();
  const session = useSession();
  const operator = usePlatformOperator();
  const mayListTenants = useCan('tenancy:list');
  const search = usePageSearch(categoryFormSearch);
  const add = useCallMutation(categoryCalls.addCategory);
  const [initial] = useState<NewFields>(() => ({
    categoryName: '',
    description: '',
    copyFrom: search.copyFrom ?? '',
    tenancyId: (operator ? search.tenancyId : undefined) ?? session?.tenancyId ?? '',
  }));
  const tenancyId = Form.useWatch('tenancyId', form) ?? initial.tenancyId;
  const copyFrom = Form.useWatch('copyFrom', form) ?? '';
  const tenants = useTenantChoices(tenancyId);
  const origins = useCategoryChoices(copyFrom, { standard: 1 });
  return (
    <FormPage<NewFields, CreatedCategory & { categoryName: string }>
      title={t('addTitle')}
      form={form}
      initial={initial}
      backTo={categoryListPath}
      leadsTo={(created) => categoryPath(created.categoryId, created.categoryName)}
      onSubmit={async ({ categoryName, description, copyFrom: origin, tenancyId: owner }) => ({
        ...(await add.mutateAsync({
          categoryName,
          description,
          copyFrom: origin ?? '',
          ...(operator ? { tenancyId: owner ?? initial.tenancyId } : {}),
        })),
        categoryName,
      })}
      summary={<Summary tenancyId={tenancyId} copyFrom={copyFrom} />}
    >
      <FormSection title={t('sectionBasic')}>
        <CategoryFields />
        {operator && mayListTenants && (
          <Field name="tenancyId" label={t('tenant')} schema={rules.tenancyId} hint={t('tenantHint')}>
            <ChoiceSelect choices={tenants} />
          </Field>
        )}
      </FormSection>
      <FormSection title={t('sectionStart')}>
        <Field name="copyFrom" label={t('copyFrom')} schema={rules.copyFrom} hint={t('copyFromHint')}>
          <ChoiceSelect choices={origins} allowClear placeholder={t('copyFromNone')} />
        </Field>
      </FormSection>
    </FormPage>
  );
};
