import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { useCan } from '../../../api/session.ts';
import { productFormPath } from '../../../paths.ts';

/** In an empty choice of products: a device is always of one. */
export const NoProducts = () => {
  const { t } = useTranslation('device');
  const mayWrite = useCan('product:write');
  return mayWrite ? <Link to={productFormPath}>{t('createProduct')}</Link> : t('noProducts');
};
