import { type ConnectRow, productCalls } from '@device-center/contract';
import { Link } from '@tanstack/react-router';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { useCan } from '../../../api/session.ts';
import { useCall } from '../../../api/use-call.ts';
import { devicePath, productPath } from '../../../paths.ts';
import { CopyId } from '../../../ui/copy-id.tsx';
import type { Column } from '../../../ui/data-table.tsx';
import { useMobile } from '../../../ui/media.ts';
import { Cause, Place, Time } from './rejected-parts.tsx';

const NAME_FRESH_MS = 60_000;

/** Somebody may have used an id that is nobody's: then its page says so. */
const Device = ({ refusal: { deviceId, productId } }: { refusal: ConnectRow }) => {
  const { t } = useTranslation('refused');
  if (deviceId === '') return <span className="dc-muted">{t('noDevice')}</span>;
  return (
    <div className="dc-name-cell">
      {productId === '' ? <span>{deviceId}</span> : <Link to={devicePath(deviceId)}>{deviceId}</Link>}
    </div>
  );
};

/** The record has only the key. The name is looked up in the list: a product that is gone is no error there. */
const Product = ({ productId }: { productId: string }) => {
  const mayOpenProducts = useCan('product:read');
  const { data } = useCall(
    productCalls.queryDeviceProductList,
    { searchValue: productId, pageSize: 1 },
    { enabled: productId !== '', staleTime: NAME_FRESH_MS },
  );
  const product = data?.list.find((row) => row.productId === productId);
  if (!product) return productId === '' ? '—' : <CopyId value={productId} />;
  return mayOpenProducts ? <Link to={productPath(productId)}>{product.productName}</Link> : product.productName;
};

/** All of it below each other, where there is no room beside. */
const Refusal = ({ refusal }: { refusal: ConnectRow }) => (
  <div className="dc-refused-cause">
    <span className="dc-refused-head">
      <Device refusal={refusal} />
      <span className="dc-muted dc-small">
        <Time time={refusal.connectTime} />
      </span>
    </span>
    <Cause refusal={refusal} />
    <span className="dc-refused-head dc-muted dc-small">
      <Product productId={refusal.productId} />
      <span>
        <Place place={refusal.place} />
      </span>
      <span>{refusal.ip}</span>
      <span>{refusal.transport}</span>
    </span>
  </div>
);

export const useRefusedColumns = (): Column<ConnectRow>[] => {
  const { t } = useTranslation('refused');
  const mobile = useMobile();
  return useMemo(() => {
    const cause: Column<ConnectRow> = {
      key: 'cause',
      title: t('cause'),
      always: true,
      mobile: true,
      render: (row) => (mobile ? <Refusal refusal={row} /> : <Cause refusal={row} />),
    };
    return [
      { key: 'time', title: t('time'), width: 184, always: true, render: (row) => <Time time={row.connectTime} /> },
      { key: 'device', title: t('deviceId'), width: 180, always: true, render: (row) => <Device refusal={row} /> },
      cause,
      { key: 'product', title: t('product'), width: 150, render: ({ productId }) => <Product productId={productId} /> },
      { key: 'place', title: t('place'), width: 110, render: ({ place }) => <Place place={place} /> },
      { key: 'ip', title: t('address'), width: 130, render: ({ ip }) => <span className="dc-mono">{ip || '—'}</span> },
      { key: 'transport', title: t('transport'), width: 100, render: ({ transport }) => transport || '—' },
    ];
  }, [t, mobile]);
};
