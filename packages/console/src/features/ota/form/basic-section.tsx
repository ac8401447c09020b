import { fields as contractFields, Menu, NAME_MAX, type VersionDetails } from '@device-center/contract';
import { Form, Input } from 'antd';
import { useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { useProductChoices } from '../../../api/product-choices.ts';
import { mayOpen, useSession } from '../../../api/session.ts';
import { ProductSelect } from '../../../filters/product-select.tsx';
import { versionPath } from '../../../paths.ts';
import { ChoiceSelect } from '../../../ui/choice-select.tsx';
import { Field } from '../../../ui/field.tsx';
import { FormSection } from '../../../ui/form-page.tsx';
import { Link } from '../../../ui/routing.ts';
import { useVersionChoices } from '../version-choices.ts';
import { rules, type TaskFields } from './task-fields.ts';
import { RankField } from './times-section.tsx';

/** Clears version, devices and application when another product is selected. */
const useResetOnProductChange = (productId: string): void => {
  const form = Form.useFormInstance<TaskFields>();
  const before = useRef(productId);
  useEffect(() => {
    if (before.current !== '' && before.current !== productId)
      form.setFieldsValue({ deviceVersionId: '', versionNumber: [], deviceListId: [], appId: '' });
    before.current = productId;
  }, [form, productId]);
};

/** Name, product, target version and rank. */
export const BasicSection = ({ version }: { version: VersionDetails | undefined }) => {
  const { t } = useTranslation('otaForm');
  const form = Form.useFormInstance<TaskFields>();
  const productId = Form.useWatch('productId', form) ?? '';
  const products = useProductChoices(productId);
  const versions = useVersionChoices(version?.productId === productId ? version : undefined, { productId });
  const mayUpload = mayOpen([Menu.softwareVersion], useSession());
  useResetOnProductChange(productId);
  return (
    <FormSection title={t('sectionBasic')}>
      <Field name="taskName" label={t('taskName')} schema={rules.taskName}>
        <Input count={{ max: NAME_MAX, show: true }} />
      </Field>
      <div className="dc-form-pair">
        <Field name="productId" label={t('product')} schema={contractFields.id()}>
          <ProductSelect choices={products} placeholder={t('productPlaceholder')} />
        </Field>
        <Field name="deviceVersionId" label={t('targetVersion')} schema={rules.deviceVersionId}>
          <ChoiceSelect
            choices={versions}
            disabled={productId === ''}
            placeholder={productId === '' ? t('productFirst') : t('versionPlaceholder')}
            {...(versions.none ? { nothing: t('noVersions') } : {})}
            nextStep={
              versions.none &&
              mayUpload && (
                <Link to={versionPath('0', 0)} search={{ productId }}>
                  {t('uploadVersion')}
                </Link>
              )
            }
          />
        </Field>
      </div>
      <RankField />
    </FormSection>
  );
};
