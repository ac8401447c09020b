import { applicationCalls, type Sent, type TenancyRow, tenancyCalls } from '@device-center/contract';
import { Form, Input } from 'antd';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useCallMutation } from '../../api/use-call.ts';
import { tenantListPath } from '../../paths.ts';
import { Field } from '../../ui/field.tsx';
import { FormPage, FormSection } from '../../ui/form-page.tsx';
import { KeyValue } from '../../ui/states.tsx';

type TenantFields = Sent<typeof tenancyCalls.addTenancy>;
const rules = tenancyCalls.addTenancy.input.shape;

const blank: TenantFields = {
  tenancyName: '',
  companyName: '',
  contactName: '',
  phone: '',
  email: '',
  companyAddress: '',
};

const TenantSections = () => {
  const { t } = useTranslation('tenancy');
  return (
    <>
      <FormSection title={t('sectionBasic')}>
        <Field name="tenancyName" label={t('tenancyName')} schema={rules.tenancyName}>
          <Input autoFocus count={{ max: 50, show: true }} />
        </Field>
        <Field name="companyName" label={t('companyName')} schema={rules.companyName}>
          <Input count={{ max: 50, show: true }} />
        </Field>
        <Field name="companyAddress" label={t('companyAddress')} schema={rules.companyAddress}>
          <Input count={{ max: 60, show: true }} />
        </Field>
      </FormSection>
      <FormSection title={t('sectionContact')}>
        <div className="dc-form-pair">
          <Field name="contactName" label={t('contactName')} schema={rules.contactName}>
            <Input />
          </Field>
          <Field name="phone" label={t('phone')} schema={rules.phone}>
            <Input inputMode="numeric" />
          </Field>
        </div>
        <Field name="email" label={t('email')} schema={rules.email}>
          <Input inputMode="email" />
        </Field>
      </FormSection>
    </>
  );
};

export const CreateTenant = () => {
  const { t } = useTranslation(['tenancy', 'common']);
  const [form] = Form.useForm<TenantFields>();
  const add = useCallMutation(tenancyCalls.addTenancy);
  return (
    <FormPage<TenantFields>
      title={t('tenancy:addTitle')}
      form={form}
      initial={blank}
      backTo={tenantListPath}
      onSubmit={(values) => add.mutateAsync(values)}
      summary={
        <>
          <h2>{t('common:summary')}</h2>
          <p>{t('tenancy:summaryNew')}</p>
        </>
      }
    >
      <TenantSections />
    </FormPage>
  );
};

export const EditTenant = ({ tenant }: { tenant: TenancyRow }) => {
  const { t } = useTranslation(['tenancy', 'common']);
  const [form] = Form.useForm<TenantFields>();
  const update = useCallMutation(tenancyCalls.updateTenancy, {
    alsoRefreshes: [applicationCalls.queryApplicationList],
  });
  // The values at opening: a background refetch must not overwrite typed values.
  const [initial] = useState<TenantFields>(() => {
    const { tenancyName, companyName, contactName, phone, email, companyAddress } = tenant;
    return { tenancyName, companyName, contactName, phone, email, companyAddress };
  });
  return (
    <FormPage<TenantFields>
      title={t('tenancy:editTitle')}
      form={form}
      initial={initial}
      backTo={tenantListPath}
      submitText={t('common:save')}
      onSubmit={(values) => update.mutateAsync({ ...values, tenancyId: tenant.tenancyId })}
      summary={
        <>
          <h2>{tenant.tenancyName}</h2>
          <KeyValue
            items={[
              { label: t('tenancy:status'), value: t(tenant.enabled ? 'common:enabled' : 'common:disabled') },
              { label: t('tenancy:applications'), value: tenant.applicationCount },
              { label: t('tenancy:users'), value: tenant.userCount },
            ]}
          />
        </>
      }
    >
      <TenantSections />
    </FormPage>
  );
};
