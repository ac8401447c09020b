import type { NodeTypeId } from '@device-center/contract';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { ProductTile } from './product-tile.tsx';

type ProductCardProps = {
  icon: string;
  nodeType: NodeTypeId;
  title: ReactNode;
  /** Content under the title: the product key, if it exists. */
  subtitle?: ReactNode;
  category: ReactNode;
  nodeTypeName: string;
  protocolName: string;
  className: string;
  counts: ReactNode;
};

/** Card of a product, in lists and as the preview of a new one. */
export const ProductCard = (props: ProductCardProps) => {
  const { t } = useTranslation('product');
  const facts = [
    { label: t('category'), value: props.category },
    { label: t('nodeType'), value: props.nodeTypeName },
    { label: t('protocol'), value: props.protocolName },
    { label: t('class'), value: props.className },
  ];
  return (
    <div className="dc-product-card">
      <div className="dc-product-head">
        <ProductTile icon={props.icon} nodeType={props.nodeType} size="large" />
        <div className="dc-name-cell">
          {props.title}
          {props.subtitle}
        </div>
      </div>
      <dl>
        {facts.map(({ label, value }) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd title={typeof value === 'string' ? value : undefined}>{value === '' ? '—' : value}</dd>
          </div>
        ))}
      </dl>
      <p className="dc-product-counts">{props.counts}</p>
    </div>
  );
};
