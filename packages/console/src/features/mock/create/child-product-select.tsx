import { NodeType } from '@device-center/contract';
import { useTranslation } from 'react-i18next';
import { useProductChoices } from '../../../api/product-choices.ts';
import { ChoiceSelect } from '../../../ui/choice-select.tsx';
import { NoProducts } from './no-products.tsx';

export type ChildFields = { deviceName: string; productId: string };

type ChildProductProps = {
  tenancyId: string;
  value?: string;
  onChange?: (productId: string | undefined) => void;
  label: string;
};

/** A product of node type 3 of the gateway's own tenant. */
export const ChildProductSelect = ({ tenancyId, label, value, ...field }: ChildProductProps) => {
  const { t } = useTranslation('mock');
  const products = useProductChoices(value, { tenancyId, nodeType: NodeType.child });
  return (
    <ChoiceSelect
      {...field}
      choices={products}
      label={label}
      value={value}
      placeholder={t('childProduct')}
      nothing={<NoProducts none={products.none} forChildren />}
    />
  );
};
