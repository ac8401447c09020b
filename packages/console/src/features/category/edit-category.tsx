import { type CategoryRow, categoryCalls, productCalls } from '@device-center/contract';
import { Form } from 'antd';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { usePlatformOperator } from '../../api/platform-operator.ts';
import { useCallMutation } from '../../api/use-call.ts';
import { categoryPath } from '../../paths.ts';
import { CopyId } from '../../ui/copy-id.tsx';
import { FormPage, FormSection } from '../../ui/form-page.tsx';
import { KeyValue } from '../../ui/states.tsx';
import { CategoryFields } from './category-fields.tsx';
import { CategoryKind, FunctionCounts } from './category-parts.tsx';

type EditedFields = { categoryName: string; description: string };

export const EditCategory = ({ category }: { category: CategoryRow }) => {
  const { t } = useTranslation(['category', 'common']);
  const [form] = Form.useForm<EditedFields>();
  const operator = usePlatformOperator();
  const { categoryId, standard } = category;
  const update = useCallMutation(categoryCalls.updateCategory, {
    alsoRefreshes: [productCalls.queryDeviceProductList],
  });
  // The state when the form opened: a background refetch must not overwrite the user's input.
  const [initial] = useState<EditedFields>(() => {
    const { categoryName, description } = category;
    return { categoryName, description };
  });
  return (
    <FormPage<EditedFields>
      title={t('category:editTitle')}
      form={form}
      initial={initial}
      backTo={categoryPath(categoryId, initial.categoryName)}
      submitText={t('common:save')}
      onSubmit={(values) => update.mutateAsync({ ...values, categoryId })}
      summary={
        <>
          <h2>{category.categoryName}</h2>
          <KeyValue
            items={[
              { label: t('category:categoryId'), value: <CopyId value={categoryId} /> },
              { label: t('category:kind'), value: <CategoryKind standard={standard} /> },
              ...(operator ? [{ label: t('category:tenant'), value: category.tenancyName }] : []),
              { label: t('category:functions'), value: <FunctionCounts category={category} /> },
            ]}
          />
        </>
      }
    >
      <FormSection title={t('category:sectionBasic')}>
        <CategoryFields />
      </FormSection>
    </FormPage>
  );
};
