import type { ProductRow } from '@device-center/contract';
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { useCan } from '../../api/session.ts';
import { productPath } from '../../paths.ts';

type DeviceCountProps = {
  product: Pick<ProductRow, 'productId' | 'productName' | 'deviceCount'>;
  /** With its unit, where no heading says what is counted. */
  words?: boolean;
};

/** How many devices it has, leading to them for whoever may see them. */
export const DeviceCount = ({ product: { productId, productName, deviceCount: count }, words }: DeviceCountProps) => {
  const { t } = useTranslation('product');
  const mayDevices = useCan('device:list');
  const shown = words === true ? t('deviceCount', { count }) : count;
  if (!mayDevices || count === 0) return <span className="dc-number">{shown}</span>;
  return (
    <Link
      className="dc-number"
      to={productPath(productId)}
      search={{ tab: 'devices' } as never}
      aria-label={`${t('devicesOf', { name: productName })}: ${shown}`}
    >
      {shown}
    </Link>
  );
};
