import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { useCan } from '../../../api/session.ts';
import { productFormPath } from '../../../paths.ts';

type NoProductsProps = {
  /** There is none at all, whatever one searches for. */
  none: boolean;
  /** None of the kind that children need. */
  forChildren?: boolean;
};

/** In an empty choice of products: a device is always of one. */
export const NoProducts = ({ none, forChildren = false }: NoProductsProps) => {
  const { t } = useTranslation(['mock', 'common']);
  const mayWrite = useCan('product:write');
  if (!none) return t('common:noMatch');
  const text = t(forChildren ? 'mock:noChildProducts' : 'mock:noProducts');
  return mayWrite ? (
    <>
      {text} <Link to={productFormPath}>{t('mock:createProduct')}</Link>
    </>
  ) : (
    text
  );
};
