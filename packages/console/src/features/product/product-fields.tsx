import { optionsOf, type ProductClassId, productCalls, productClasses, productClassIds } from '@device-center/contract';
import { Form, Input, Select } from 'antd';
import { useTranslation } from 'react-i18next';
import { z } from 'zod';
import { type Choice, useApplicationChoices } from '../../api/choices.ts';
import { useCan } from '../../api/session.ts';
import { currentLanguage } from '../../i18n/language.ts';
import { ChoiceSelect } from '../../ui/choice-select.tsx';
import { DescriptionInput } from '../../ui/description-input.tsx';
import { Field } from '../../ui/field.tsx';
import { FormSection } from '../../ui/form-page.tsx';
import './product-form.css';
import { FlagSwitch } from '../../ui/flag-switch.tsx';
import { ProductPictureField } from './product-picture-field.tsx';

export const rules = productCalls.addDeviceProduct.input.shape;

/** Fields that can be changed after creation. */
export type ProductFields = {
  productName: string;
  description: string;
  icon: string;
  classId?: ProductClassId | undefined;
  applicationId: string;
  allowRegister: 0 | 1;
  allowMd5: 0 | 1;
};

export const classNameOf = (classId: ProductClassId | undefined): string =>
  classId === undefined ? '' : productClasses[classId][currentLanguage()];

/** Reports an empty selection as REQUIRED instead of as an invalid option. */
export const chosen = (schema: z.ZodType): z.ZodType =>
  z
    .unknown()
    .refine((value) => value !== '', { error: 'REQUIRED', abort: true })
    .pipe(schema as z.ZodType<unknown, unknown>);

export const BasicSection = () => {
  const { t } = useTranslation('product');
  return (
    <FormSection title={t('sectionBasic')}>
      <Field name="productName" label={t('productName')} schema={rules.productName} hint={t('nameHint')}>
        <Input autoFocus count={{ max: 50, show: true }} />
      </Field>
      <Field name="classId" label={t('class')} schema={chosen(rules.classId)}>
        <Select options={optionsOf(productClasses, productClassIds, currentLanguage())} />
      </Field>
      <Field name="description" label={t('description')} schema={rules.description}>
        <DescriptionInput />
      </Field>
      <Form.Item name="icon" label={t('picture')}>
        <ProductPictureField />
      </Form.Item>
    </FormSection>
  );
};

type AccessSectionProps = {
  tenancyId: string;
  /** The selected application, if its name is known. */
  known?: Choice | undefined;
};

export const ApplicationField = ({ tenancyId, known }: AccessSectionProps) => {
  const { t } = useTranslation('product');
  const mayApplications = useCan('application:list');
  const applicationId: string | undefined = Form.useWatch('applicationId');
  const applications = useApplicationChoices(applicationId, { tenancyId, known });
  if (!mayApplications) return null;
  return (
    <Field name="applicationId" label={t('application')} schema={rules.applicationId} hint={t('applicationHint')}>
      <ChoiceSelect choices={applications} allowClear placeholder={t('applicationNone')} />
    </Field>
  );
};

export const AccessSection = (of: AccessSectionProps) => {
  const { t } = useTranslation('product');
  return (
    <FormSection title={t('sectionAccess')}>
      <ApplicationField {...of} />
      <Form.Item name="allowRegister" label={t('allowRegister')} extra={t('allowRegisterHint')}>
        <FlagSwitch />
      </Form.Item>
      <Form.Item name="allowMd5" label={t('allowMd5')} extra={t('allowMd5Hint')}>
        <FlagSwitch />
      </Form.Item>
    </FormSection>
  );
};
