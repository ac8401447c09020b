import { deviceCalls, type ProductClassId, type ProductRow, productCalls } from '@device-center/contract';
import { Form } from 'antd';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useCallMutation } from '../../api/use-call.ts';
import { productPath } from '../../paths.ts';
import { CopyId } from '../../ui/copy-id.tsx';
import { FormPage, FormSection } from '../../ui/form-page.tsx';
import { useReceivedReason } from '../../ui/received-tag.tsx';
import { KeyValue } from '../../ui/states.tsx';
import { ProductCard } from './product-card.tsx';
import { AccessSection, ApplicationField, BasicSection, classNameOf, type ProductFields } from './product-fields.tsx';

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

/** Read-only data of a received product: only its application can be changed. */
const ReceivedSection = ({ product, reason }: { product: ProductRow; reason: string }) => {
  const { t } = useTranslation(['product', 'common']);
  return (
    <FormSection title={t('common:received')}>
      <p className="dc-muted">{reason}</p>
      <KeyValue
        items={[
          { label: t('product:productName'), value: product.productName },
          { label: t('product:class'), value: product.className },
          { label: t('product:description'), value: product.description },
          { label: t('product:category'), value: product.categoryName },
          { label: t('product:nodeType'), value: product.nodeTypeName },
          { label: t('product:protocol'), value: product.protocolName },
        ]}
      />
    </FormSection>
  );
};

export const EditProduct = ({ product }: { product: ProductRow }) => {
  const { t } = useTranslation(['product', 'common']);
  const [form] = Form.useForm<ProductFields>();
  const { productId, tenancyId, applicationId, applicationName } = product;
  const received = useReceivedReason(product);
  const update = useCallMutation(productCalls.updateDeviceProduct, { alsoRefreshes: [deviceCalls.queryDeviceList] });
  // The values at opening: a background refetch must not overwrite typed values.
  const [initial] = useState<ProductFields>(() => ({
    productName: product.productName,
    description: product.description,
    icon: product.icon,
    classId: product.classId,
    applicationId,
    allowRegister: product.allowRegister,
    allowMd5: product.allowMd5,
  }));
  const application = {
    tenancyId,
    known: applicationId === '' ? undefined : { value: applicationId, label: applicationName },
  };
  const typed: Partial<ProductFields> = Form.useWatch([], form) ?? initial;
  return (
    <FormPage<ProductFields>
      title={t('product:editTitle')}
      form={form}
      initial={initial}
      backTo={productPath(productId)}
      submitText={t('common:save')}
      onSubmit={({ classId, applicationId: chosen, ...values }) =>
        update.mutateAsync({
          ...(received === undefined
            ? { ...values, classId: classId as ProductClassId }
            : { productName: product.productName }),
          applicationId: chosen ?? '',
          productId,
        })
      }
      summary={
        <>
          <h2>{t('product:preview')}</h2>
          <ProductCard
            {...product}
            icon={typed.icon ?? product.icon}
            className={classNameOf(typed.classId ?? product.classId)}
            title={<span>{typed.productName ?? product.productName}</span>}
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
      {received === undefined ? (
        <>
          <BasicSection />
          <FixedSection product={product} />
          <AccessSection {...application} />
        </>
      ) : (
        <>
          <ReceivedSection product={product} reason={received} />
          <FormSection title={t('product:sectionAccess')}>
            <ApplicationField {...application} />
          </FormSection>
        </>
      )}
    </FormPage>
  );
};
