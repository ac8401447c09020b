import type { CategoryRow } from '@device-center/contract';
import { useTranslation } from 'react-i18next';
import { useCan } from '../../api/session.ts';
import { countText } from '../../i18n/numbers.ts';
import './category.css';
import { productListPath } from '../../paths.ts';
import { Link } from '../../ui/routing.ts';

export const CategoryKind = ({ standard }: Pick<CategoryRow, 'standard'>) => {
  const { t } = useTranslation('category');
  return (
    <span className="dc-tag" data-standard={standard === 1}>
      {t(standard === 1 ? 'standard' : 'custom')}
    </span>
  );
};

type Counts = Pick<CategoryRow, 'propertyCount' | 'serviceCount' | 'eventCount'>;

export const FunctionCounts = ({ category: { propertyCount, serviceCount, eventCount } }: { category: Counts }) => {
  const { t } = useTranslation('category');
  const counts = [
    { key: 'properties', count: propertyCount },
    { key: 'services', count: serviceCount },
    { key: 'events', count: eventCount },
  ] as const;
  return (
    <span className="dc-function-counts">
      {counts.map(({ key, count }) => (
        <span key={key} data-none={count === 0}>
          {t(key)} <b className="dc-number">{countText(count)}</b>
        </span>
      ))}
    </span>
  );
};

/** The number of products that use the category, linked to the product list if the user may open it. */
export const ProductCount = ({ category: { categoryId, categoryName, productCount } }: { category: CategoryRow }) => {
  const { t } = useTranslation('category');
  const mayWriteProducts = useCan('product:write');
  if (!mayWriteProducts || productCount === 0) return <span className="dc-number">{countText(productCount)}</span>;
  return (
    <Link
      className="dc-number"
      to={productListPath}
      search={{ categoryId }}
      aria-label={`${t('productsOf', { name: categoryName })}: ${countText(productCount)}`}
    >
      {countText(productCount)}
    </Link>
  );
};
