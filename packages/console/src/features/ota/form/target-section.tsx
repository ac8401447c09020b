import { errorText, firmwareCalls, type ProductRow, type ProductVersion } from '@device-center/contract';
import { Form, Radio, Select } from 'antd';
import { useTranslation } from 'react-i18next';
import { useApplicationChoices } from '../../../api/choices.ts';
import { useCall } from '../../../api/use-call.ts';
import { currentLanguage } from '../../../i18n/language.ts';
import { ChoiceSelect } from '../../../ui/choice-select.tsx';
import { Field } from '../../../ui/field.tsx';
import { FormSection } from '../../../ui/form-page.tsx';
import { NoOptions } from '../../../ui/no-options.tsx';
import { DeviceListField } from './device-list-field.tsx';
import type { FieldAria } from './field-aria.ts';
import { rules, type TargetFields } from './task-fields.ts';

/** Spec §8: requires at least one device; the hub checks it too. */
const targetsRequired = {
  validator: async (_rule: unknown, chosen: string[] | undefined) => {
    if (!chosen || chosen.length === 0) throw new Error(errorText('NO_TARGET_DEVICES', currentLanguage()));
  },
};

type CurrentVersionsProps = FieldAria & {
  value?: string[];
  onChange?: (versions: string[]) => void;
  productId: string;
};

/** Selects firmware versions that devices of the product run, with the number of devices. */
const CurrentVersions = ({ value = [], onChange, productId, ...aria }: CurrentVersionsProps) => {
  const { t } = useTranslation(['otaForm', 'common']);
  const { data, isFetching } = useCall(
    firmwareCalls.getProductVersionNumbers,
    { productId },
    { enabled: productId !== '' },
  );
  const label = ({ versionNumber, deviceCount }: ProductVersion): string =>
    t('versionWithDevices', { version: versionNumber, count: deviceCount });
  return (
    <Select
      {...aria}
      mode="multiple"
      allowClear={{ label: t('common:clear') }}
      loading={isFetching}
      disabled={productId === ''}
      placeholder={productId === '' ? t('productFirst') : t('currentVersionsPlaceholder')}
      value={value}
      onChange={onChange}
      showSearch={{ optionFilterProp: 'label' }}
      notFoundContent={<NoOptions>{t('noCurrentVersions')}</NoOptions>}
      options={(data ?? []).map((version) => ({ value: version.versionNumber, label: label(version) }))}
    />
  );
};

type TargetSectionProps = { product: ProductRow | undefined; unknown: readonly string[] };

/** Target devices: by current version or by device id. */
export const TargetSection = ({ product, unknown }: TargetSectionProps) => {
  const { t } = useTranslation('otaForm');
  const form = Form.useFormInstance<TargetFields>();
  const target = Form.useWatch('target', form) ?? 'versions';
  const appId = Form.useWatch('appId', form) ?? '';
  const productId = Form.useWatch('productId', form) ?? '';
  const applications = useApplicationChoices(appId, { tenancyId: product?.tenancyId ?? '' });
  return (
    <FormSection title={t('sectionTarget')}>
      <Form.Item name="target" label={t('condition')}>
        <Radio.Group
          options={[
            { value: 'versions', label: t('byVersion') },
            { value: 'devices', label: t('byDevice') },
          ]}
        />
      </Form.Item>
      {target === 'versions' ? (
        <Form.Item name="versionNumber" label={t('currentVersions')} required rules={[targetsRequired]}>
          <CurrentVersions productId={productId} />
        </Form.Item>
      ) : (
        <Form.Item name="deviceListId" label={t('devices')} required rules={[targetsRequired]}>
          <DeviceListField productId={productId} appId={appId} unknown={unknown} />
        </Form.Item>
      )}
      <Field name="appId" label={t('application')} schema={rules.appId} hint={t('applicationHint')}>
        <ChoiceSelect
          choices={applications}
          allowClear
          disabled={!product}
          placeholder={t('anyApplication')}
          {...(applications.none ? { nothing: t('noApplications') } : {})}
        />
      </Field>
    </FormSection>
  );
};
