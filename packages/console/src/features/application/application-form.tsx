import { type ApplicationRow, applicationCalls, tenancyCalls } from '@device-center/contract';
import { Form, Input } from 'antd';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useTenantChoices } from '../../api/choices.ts';
import { usePlatformOperator } from '../../api/platform-operator.ts';
import { useSession } from '../../api/session.ts';
import { useCallMutation } from '../../api/use-call.ts';
import { applicationListPath } from '../../paths.ts';
import { ChoiceSelect } from '../../ui/choice-select.tsx';
import { CopyId } from '../../ui/copy-id.tsx';
import { Field } from '../../ui/field.tsx';
import { FormPage, FormSection } from '../../ui/form-page.tsx';
import { usePageSearch } from '../../ui/routing.ts';
import { KeyValue } from '../../ui/states.tsx';
import { applicationFormSearch } from './application-search.ts';

const rules = applicationCalls.addApplication.input.shape;

const NameField = () => {
  const { t } = useTranslation('application');
  return (
    <Field name="applicationName" label={t('applicationName')} schema={rules.applicationName} hint={t('nameHint')}>
      <Input autoFocus count={{ max: 50, show: true }} />
    </Field>
  );
};

type NewFields = { applicationName: string; tenancyId: string };

export const CreateApplication = () => {
  const { t } = useTranslation(['application', 'common']);
  const [form] = Form.useForm<NewFields>();
  const session = useSession();
  const operator = usePlatformOperator();
  const searchTenancyId = usePageSearch(applicationFormSearch).tenancyId;
  const add = useCallMutation(applicationCalls.addApplication, { alsoRefreshes: [tenancyCalls.queryTenancyList] });
  const [initial] = useState<NewFields>(() => ({
    applicationName: '',
    tenancyId: (operator ? searchTenancyId : undefined) ?? session?.tenancyId ?? '',
  }));
  const tenancyId = Form.useWatch('tenancyId', form) ?? initial.tenancyId;
  const tenants = useTenantChoices(tenancyId);
  return (
    <FormPage<NewFields>
      title={t('application:addTitle')}
      form={form}
      initial={initial}
      backTo={applicationListPath}
      onSubmit={({ applicationName, tenancyId: chosen }) =>
        add.mutateAsync({ applicationName, ...(operator ? { tenancyId: chosen } : {}) })
      }
      summary={
        <>
          <h2>{t('common:summary')}</h2>
          <p>{t('application:summaryNew')}</p>
        </>
      }
    >
      <FormSection title={t('application:sectionBasic')}>
        <NameField />
        {operator && (
          <Field name="tenancyId" label={t('application:tenant')} schema={rules.tenancyId}>
            <ChoiceSelect choices={tenants} />
          </Field>
        )}
      </FormSection>
    </FormPage>
  );
};

type NameFields = { applicationName: string };

export const EditApplication = ({ application }: { application: ApplicationRow }) => {
  const { t } = useTranslation(['application', 'common']);
  const [form] = Form.useForm<NameFields>();
  const operator = usePlatformOperator();
  const update = useCallMutation(applicationCalls.updateApplication);
  const { applicationId } = application;
  // The state when the form opened: a background refetch must not overwrite the user's input.
  const [initial] = useState<NameFields>(() => ({ applicationName: application.applicationName }));
  return (
    <FormPage<NameFields>
      title={t('application:editTitle')}
      form={form}
      initial={initial}
      backTo={applicationListPath}
      submitText={t('common:save')}
      onSubmit={(values) => update.mutateAsync({ ...values, applicationId })}
      summary={
        <>
          <h2>{application.applicationName}</h2>
          <KeyValue
            items={[
              { label: t('application:applicationId'), value: <CopyId value={applicationId} /> },
              ...(operator ? [{ label: t('application:tenant'), value: application.tenancyName }] : []),
              { label: t('application:creator'), value: application.creator },
            ]}
          />
        </>
      }
    >
      <FormSection title={t('application:sectionBasic')}>
        <NameField />
      </FormSection>
    </FormPage>
  );
};
