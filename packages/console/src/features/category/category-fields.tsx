import { CATEGORY_NAME_MAX, categoryCalls, categoryNameLength, fields } from '@device-center/contract';
import { Form, Input } from 'antd';
import { useTranslation } from 'react-i18next';
import { DescriptionInput } from '../../ui/description-input.tsx';
import { Field } from '../../ui/field.tsx';
import './category.css';

export const rules = categoryCalls.addCategory.input.shape;

const stateOf = (length: number): 'short' | 'fits' | 'over' => {
  if (length < fields.CATEGORY_NAME_MIN) return 'short';
  return length > CATEGORY_NAME_MAX ? 'over' : 'fits';
};

/** The weighted length of the name while it is typed. */
const LengthMeter = () => {
  const { t } = useTranslation('category');
  const name: string = Form.useWatch('categoryName') ?? '';
  const length = categoryNameLength(name);
  return (
    <span className="dc-length-meter" data-state={stateOf(length)}>
      <span aria-hidden="true">
        <i style={{ width: `${Math.min(100, (length / CATEGORY_NAME_MAX) * 100)}%` }} />
      </span>
      <span>{t('lengthOf', { length, min: fields.CATEGORY_NAME_MIN, max: CATEGORY_NAME_MAX })}</span>
    </span>
  );
};

export const CategoryFields = () => {
  const { t } = useTranslation('category');
  return (
    <>
      <Field
        name="categoryName"
        label={t('categoryName')}
        schema={rules.categoryName}
        hint={
          <>
            {t('nameHint')}
            <LengthMeter />
          </>
        }
      >
        <Input autoFocus />
      </Field>
      <Field name="description" label={t('description')} schema={rules.description}>
        <DescriptionInput />
      </Field>
    </>
  );
};
