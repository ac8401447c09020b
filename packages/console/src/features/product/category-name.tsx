import type { ProductRow } from '@device-center/contract';
import { useTranslation } from 'react-i18next';

type Named = Pick<ProductRow, 'categoryName' | 'categoryStandard'>;

/** A category with its kind: standard (of the platform) or custom (of a tenant). */
export const Category = ({ product: { categoryName, categoryStandard } }: { product: Named }) => {
  const { t } = useTranslation('category');
  const kind = t(categoryStandard === 1 ? 'standard' : 'custom');
  return (
    <span title={`${categoryName} ${kind}`}>
      {categoryName} <small className="dc-muted">{kind}</small>
    </span>
  );
};
