import { type ConnectRow, productCalls } from '@device-center/contract';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { useCan } from '../../../api/session.ts';
import { useCall } from '../../../api/use-call.ts';
import { devicePath, productPath } from '../../../paths.ts';
import { CopyId } from '../../../ui/copy-id.tsx';
import type { Column } from '../../../ui/data-table.tsx';
import { useMobile } from '../../../ui/media.ts';
import { Link } from '../../../ui/routing.ts';
import { Cause, Phase, Time } from './rejected-parts.tsx';

const NAME_STALE_MS = 60_000;

/** The id may belong to no device; then the linked page says so. */
const Device = ({ rejection: { deviceId, productId } }: { rejection: ConnectRow }) => {
  const { t } = useTranslation('rejected');
  if (deviceId === '') return <span className="dc-muted">{t('noDevice')}</span>;
  return (
    <div className="dc-name-cell">
      {productId === '' ? <span>{deviceId}</span> : <Link to={devicePath(deviceId)}>{deviceId}</Link>}
    </div>
  );
};

/** The record only has the product key. The name comes from the list, where a deleted product is no error. */
const Product = ({ productId }: { productId: string }) => {
  const mayOpenProducts = useCan('product:read');
  const { data } = useCall(
    productCalls.queryDeviceProductList,
    { searchValue: productId, pageSize: 1 },
    { enabled: productId !== '', staleTime: NAME_STALE_MS },
  );
  const product = data?.list.find((row) => row.productId === productId);
  if (!product) return productId === '' ? '—' : <CopyId value={productId} />;
  return mayOpenProducts ? <Link to={productPath(productId)}>{product.productName}</Link> : product.productName;
};

/** Stacked, for narrow screens. */
const RejectionDetails = ({ rejection }: { rejection: ConnectRow }) => (
  <div className="dc-rejected-cause">
    <span className="dc-rejected-head">
      <Device rejection={rejection} />
      <span className="dc-muted dc-small">
        <Time time={rejection.connectTime} />
      </span>
    </span>
    <Cause rejection={rejection} />
    <span className="dc-rejected-head dc-muted dc-small">
      <Product productId={rejection.productId} />
      <span>
        <Phase place={rejection.place} />
      </span>
      <span>{rejection.ip}</span>
      <span>{rejection.transport}</span>
    </span>
  </div>
);

export const useRejectedColumns = (): Column<ConnectRow>[] => {
  const { t } = useTranslation('rejected');
  const mobile = useMobile();
  return useMemo(() => {
    const cause: Column<ConnectRow> = {
      key: 'cause',
      title: t('cause'),
      always: true,
      mobile: true,
      render: (row) => (mobile ? <RejectionDetails rejection={row} /> : <Cause rejection={row} />),
    };
    return [
      { key: 'time', title: t('time'), width: 184, always: true, render: (row) => <Time time={row.connectTime} /> },
      { key: 'device', title: t('deviceId'), width: 180, always: true, render: (row) => <Device rejection={row} /> },
      cause,
      { key: 'product', title: t('product'), width: 150, render: ({ productId }) => <Product productId={productId} /> },
      { key: 'place', title: t('place'), width: 110, render: ({ place }) => <Phase place={place} /> },
      { key: 'ip', title: t('address'), width: 130, render: ({ ip }) => <span className="dc-mono">{ip || '—'}</span> },
      { key: 'transport', title: t('transport'), width: 100, render: ({ transport }) => transport || '—' },
    ];
  }, [t, mobile]);
};
