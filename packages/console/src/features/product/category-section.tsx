import { CATEGORY_FUNCTIONS_MAX, type CategoryRow, categoryCalls } from '@device-center/contract';
import { Form, Segmented } from 'antd';
import { type ReactNode, useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useCategoryChoices } from '../../api/choices.ts';
import { PLATFORM_TENANCY_ID } from '../../api/platform-operator.ts';
import { useCall } from '../../api/use-call.ts';
import { functionTypeText } from '../../model/function-texts.ts';
import { ChoiceSelect } from '../../ui/choice-select.tsx';
import { Field } from '../../ui/field.tsx';
import { FlagSwitch } from '../../ui/flag-switch.tsx';
import { FormSection } from '../../ui/form-page.tsx';
import { rules } from './product-fields.tsx';

/** The functions that the product inherits from the category. */
const InheritedFunctions = ({ category }: { category: CategoryRow }) => {
  const { t } = useTranslation('product');
  const { categoryId } = category;
  const inherit: 0 | 1 | undefined = Form.useWatch('inheritFunctions');
  const { data } = useCall(categoryCalls.getOpenFunctions, { categoryId, pageSize: CATEGORY_FUNCTIONS_MAX });
  if (!data) return null;
  if (data.total === 0) return <p className="dc-muted">{t('inheritedNone')}</p>;
  if (inherit === 0) return <p className="dc-muted">{t('notInherited')}</p>;
  return (
    <div className="dc-inherited">
      <p>{t('inherited', { count: data.total })}</p>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scroll container must be focusable by keyboard. */}
      <ul tabIndex={0} aria-label={t('inherited', { count: data.total })}>
        {data.list.map(({ id, functionName, signCode, functionType }) => (
          <li key={id}>
            <span>{functionName}</span>
            <code className="dc-mono">{signCode}</code>
            <span>{functionTypeText(functionType)}</span>
          </li>
        ))}
      </ul>
    </div>
  );
};

type KindChoiceProps = { kind: 0 | 1; platform: boolean; onChange: (kind: 0 | 1) => void };

const KindChoice = ({ kind, platform, onChange }: KindChoiceProps) => {
  const { t } = useTranslation('product');
  return (
    <div className="dc-category-kind">
      <Segmented<0 | 1>
        aria-label={t('categoryKind')}
        value={kind}
        options={[
          { value: 1, label: t('standardCategory') },
          { value: 0, label: t('customCategory'), disabled: platform },
        ]}
        onChange={onChange}
      />
      {platform && <p className="dc-muted dc-small">{t('platformHasNone')}</p>}
    </div>
  );
};

type CategorySectionProps = { tenancyId: string; children?: ReactNode };

/** Selects standard or custom, then the category, and shows the inherited functions. */
export const CategorySection = ({ tenancyId, children }: CategorySectionProps) => {
  const { t } = useTranslation('product');
  const form = Form.useFormInstance();
  const [picked, setPicked] = useState<0 | 1>();
  const categoryId: string = Form.useWatch('categoryId', form) ?? '';
  const { data: category } = useCall(
    categoryCalls.getCategoryDetails,
    { categoryId },
    { enabled: categoryId !== '', staleTime: 60_000 },
  );
  const platform = tenancyId === PLATFORM_TENANCY_ID;
  const kind = platform ? 1 : (picked ?? category?.standard ?? 1);
  const choices = useCategoryChoices(categoryId, { standard: kind, tenancyId: kind === 0 ? tenancyId : undefined });

  const ownerGone = category !== undefined && category.standard === 0 && category.tenancyId !== tenancyId;
  useEffect(() => {
    // Deselect a custom category of another tenant.
    if (ownerGone) form.setFieldValue('categoryId', '');
  }, [ownerGone, form]);

  const pick = (next: 0 | 1) => {
    setPicked(next);
    form.setFieldValue('categoryId', '');
  };

  return (
    <FormSection title={t('sectionCategory')}>
      {children}
      <KindChoice kind={kind} platform={platform} onChange={pick} />
      <Field name="categoryId" label={t('category')} schema={rules.categoryId} hint={t('fixedHint')}>
        <ChoiceSelect
          choices={choices}
          placeholder={t('categoryPlaceholder')}
          {...(choices.none ? { nothing: t('categoryNone') } : {})}
        />
      </Field>
      <Form.Item name="inheritFunctions" label={t('inherit')} extra={t('inheritHint')}>
        <FlagSwitch />
      </Form.Item>
      {category && category.categoryId === categoryId && <InheritedFunctions category={category} />}
    </FormSection>
  );
};
