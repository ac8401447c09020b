import { MOCK_CHILDREN_MAX, NodeType, type ProductRow } from '@device-center/contract';
import { Form, type FormInstance } from 'antd';
import { useTranslation } from 'react-i18next';
import type { Fact } from '../../../ui/fact-list.tsx';
import { KeyValue } from '../../../ui/states.tsx';

type Written = { deviceName?: string; children?: unknown[] };

type MockSummaryProps<Fields> = { form: FormInstance<Fields>; product: ProductRow | undefined };

/** Summary of the device to create, and the next step. */
export const MockSummary = <Fields extends Written>({ form, product }: MockSummaryProps<Fields>) => {
  const { t } = useTranslation(['mock', 'common']);
  const { deviceName = '', children = [] }: Written = Form.useWatch([], form as FormInstance) ?? {};
  const gateway = product?.nodeType === NodeType.gateway;
  const facts: Fact[] = [
    { label: t('mock:deviceName'), value: deviceName },
    { label: t('mock:product'), value: product?.productName ?? '' },
    { label: t('mock:nodeType'), value: product?.nodeTypeName ?? '' },
    ...(gateway ? [{ label: t('mock:children'), value: `${children.length}/${MOCK_CHILDREN_MAX}` }] : []),
    ...(product ? [{ label: t('mock:signMethod'), value: product.allowMd5 === 1 ? 'MD5' : t('mock:signHmac') }] : []),
  ];
  return (
    <>
      <h2>{t('common:summary')}</h2>
      <KeyValue items={facts} />
      <p className="dc-mock-next">{t('mock:next')}</p>
    </>
  );
};
