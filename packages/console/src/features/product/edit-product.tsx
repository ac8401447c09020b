import { categoryCalls, type ProductRow, productCalls } from '@device-center/contract';
import { Form } from 'antd';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useCommand } from '../../api/use-call.ts';
import { CopyId } from '../../ui/copy-id.tsx';
import { FormPage, FormSection } from '../../ui/form-page.tsx';
import { KeyValue } from '../../ui/states.tsx';
import { ProductCard } from './product-card.tsx';
import { AccessSection, BasicSection, classNameOf, fieldOfCode, type ProductFields } from './product-fields.tsx';
import { productPath } from './product-search.ts';

const FixedSection = ({ product }: { product: ProductRow }) => {
  const { t } = useTranslation('product');
  return (
    <FormSection title={t('sectionKind')}>
      <p className="dc-muted">{t('fixed')}</p>
      <KeyValue
        items={[
          { label: t('category'), value: product.categoryName },
          { label: t('nodeType'), value: product.nodeTypeName },
          { label: t('protocol'), value: product.protocolName },
        ]}
      />
    </FormSection>
  );
};

export const EditProduct = ({ product }: { product: ProductRow }) => {
  const { t } = useTranslation(['product', 'common']);
  const [form] = Form.useForm<ProductFields>();
  const { productId, tenancyId, applicationId, applicationName } = product;
  const update = useCommand(productCalls.updateDeviceProduct, { alsoRefreshes: [categoryCalls.getCategoryList] });
  // As it was when the form opened: a refetch in the background must not overwrite what is being typed.
  const [initial] = useState<ProductFields>(() => ({
    productName: product.productName,
    description: product.description,
    icon: product.icon,
    classId: product.classId,
    applicationId,
    allowRegister: product.allowRegister,
    allowMd5: product.allowMd5,
  }));
  const typed: Partial<ProductFields> = Form.useWatch([], form) ?? initial;
  return (
    <FormPage<ProductFields>
      title={t('product:editTitle')}
      form={form}
      initial={initial}
      backTo={productPath(productId)}
      submitText={t('common:save')}
      fieldOfCode={fieldOfCode}
      onSubmit={({ classId, applicationId: chosen, ...values }) =>
        update.mutateAsync({ ...values, classId: classId as never, applicationId: chosen ?? '', productId })
      }
      summary={
        <>
          <h2>{t('product:preview')}</h2>
          <ProductCard
            {...product}
            icon={typed.icon ?? ''}
            className={classNameOf(typed.classId)}
            title={<span>{typed.productName}</span>}
            subtitle={<CopyId value={productId} />}
            category={product.categoryName}
            counts={
              <>
                <span>{t('product:deviceCount', { count: product.deviceCount })}</span>
                <span>{t('product:functionCount', { count: product.functionCount })}</span>
              </>
            }
          />
        </>
      }
    >
      <BasicSection />
      <FixedSection product={product} />
      <AccessSection
        tenancyId={tenancyId}
        known={applicationId === '' ? undefined : { value: applicationId, label: applicationName }}
      />
    </FormPage>
  );
};
