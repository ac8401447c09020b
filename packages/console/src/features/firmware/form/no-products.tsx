import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { useCan } from '../../../api/session.ts';
import { productFormPath } from '../../../paths.ts';

/** Nothing to choose from: the next step is a product. */
export const NoProducts = () => {
  const { t } = useTranslation('firmware');
  const mayProducts = useCan('product:write');
  return (
    <>
      {t('noProducts')} {mayProducts && <Link to={productFormPath}>{t('createProduct')}</Link>}
    </>
  );
};
