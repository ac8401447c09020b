import type { ProductRow } from '@device-center/contract';
import { Radio } from 'antd';
import { useProtectedPicture } from '../../../api/picture.ts';
import { usePlatformOperator } from '../../../api/platform-operator.ts';
import { NodeTypeTile } from '../../../ui/node-type-tile.tsx';
import { mockBlockedReason } from './mock-product.ts';

/** A product as a radio row; disabled with a reason if it cannot be mocked. */
export const ProductChoice = ({ product }: { product: ProductRow }) => {
  const operator = usePlatformOperator();
  const blockedReason = mockBlockedReason(product);
  const { productId, productName, nodeType, nodeTypeName, icon, tenancyName } = product;
  const picture = useProtectedPicture(icon);
  return (
    <Radio value={productId} disabled={blockedReason !== undefined}>
      <span className="dc-mock-product">
        <NodeTypeTile nodeType={nodeType} size="medium" picture={picture} />
        <span className="dc-mock-product-words">
          <strong>{productName}</strong>
          <code className="dc-mono">{productId}</code>
          {blockedReason !== undefined && <small className="dc-mock-product-refusal">{blockedReason}</small>}
        </span>
        <span className="dc-mock-product-kind">
          <span className="dc-tag">{nodeTypeName}</span>
          {operator && <small>{tenancyName}</small>}
        </span>
      </span>
    </Radio>
  );
};
