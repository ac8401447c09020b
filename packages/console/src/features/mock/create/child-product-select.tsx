import { NodeType } from '@device-center/contract';
import { useTranslation } from 'react-i18next';
import { useProductChoices } from '../../../api/product-choices.ts';
import { ProductSelect } from '../../../filters/product-select.tsx';

export type ChildFields = { deviceName: string; productId: string };

type ChildProductProps = {
  tenancyId: string;
  value?: string;
  onChange?: (productId: string | undefined) => void;
  label: string;
};

/** Selects a product of node type 3 (child) of the gateway's tenant. */
export const ChildProductSelect = ({ tenancyId, label, value, ...field }: ChildProductProps) => {
  const { t } = useTranslation('mock');
  const products = useProductChoices(value, { tenancyId, nodeType: NodeType.child });
  return (
    <ProductSelect
      {...field}
      choices={products}
      label={label}
      value={value}
      placeholder={t('childProduct')}
      none={t('noChildProducts')}
    />
  );
};
