import type { ProductRow } from '@device-center/contract';
import { useTranslation } from 'react-i18next';
import { useCan } from '../../api/session.ts';
import { productPath } from '../../paths.ts';
import { Link } from '../../ui/routing.ts';

type DeviceCountProps = {
  product: Pick<ProductRow, 'productId' | 'productName' | 'deviceCount'>;
  /** Adds the unit, where no header names it. */
  words?: boolean;
};

/** Number of devices, linked to them if the user may list devices. */
export const DeviceCount = ({ product: { productId, productName, deviceCount: count }, words }: DeviceCountProps) => {
  const { t } = useTranslation('product');
  const mayDevices = useCan('device:list');
  const shown = words === true ? t('deviceCount', { count }) : count;
  if (!mayDevices || count === 0) return <span className="dc-number">{shown}</span>;
  return (
    <Link
      className="dc-number"
      to={productPath(productId)}
      search={{ tab: 'devices' }}
      aria-label={`${t('devicesOf', { name: productName })}: ${shown}`}
    >
      {shown}
    </Link>
  );
};
