import type { RefusedGroup } from '@device-center/contract';
import { Link } from '@tanstack/react-router';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { useCan } from '../../../api/session.ts';
import { countText } from '../../../i18n/numbers.ts';
import { devicePath, productPath } from '../../../paths.ts';
import type { Column } from '../../../ui/data-table.tsx';
import { useMobile } from '../../../ui/media.ts';
import { NameCell } from '../../../ui/name-cell.tsx';
import { Cause, Place, Time } from './rejected-parts.tsx';

type GroupProps = { group: RefusedGroup };

/** An id that no device has leads nowhere: it may be a typing error in the device, or a stranger. */
const Device = ({ group: { deviceId, deviceName } }: GroupProps) => {
  const { t } = useTranslation('refused');
  if (deviceId === '') return <span className="dc-muted">{t('noDevice')}</span>;
  if (deviceName === '')
    return (
      <div className="dc-name-cell">
        <span>{deviceId}</span>
        <span className="dc-muted dc-small">{t('unknownDevice')}</span>
      </div>
    );
  return (
    <NameCell id={deviceId} name={deviceName}>
      <Link to={devicePath(deviceId)}>{deviceName}</Link>
    </NameCell>
  );
};

const Product = ({ group: { productId, productName } }: GroupProps) => {
  const mayOpenProducts = useCan('product:read');
  if (productName === '') return productId === '' ? '—' : <span className="dc-mono">{productId}</span>;
  return mayOpenProducts ? <Link to={productPath(productId)}>{productName}</Link> : productName;
};

const Count = ({ group: { count } }: GroupProps) => {
  const { t } = useTranslation('refused');
  return <span className="dc-number">{t('times', { times: countText(count), count })}</span>;
};

/** All of it below each other, where there is no room beside. */
const Group = ({ group }: GroupProps) => (
  <div className="dc-refused-cause">
    <Device group={group} />
    <Cause refusal={group} />
    <span className="dc-refused-head dc-muted dc-small">
      <Count group={group} />
      <Time time={group.lastTime} />
      <Product group={group} />
      <span>{group.ip}</span>
    </span>
  </div>
);

/** By device and cause, with what to do about it. */
export const useGroupColumns = (): Column<RefusedGroup>[] => {
  const { t } = useTranslation('refused');
  const mobile = useMobile();
  return useMemo(
    () => [
      { key: 'device', title: t('device'), width: 210, always: true, render: (group) => <Device group={group} /> },
      {
        key: 'cause',
        title: t('cause'),
        always: true,
        mobile: true,
        render: (group) => (mobile ? <Group group={group} /> : <Cause refusal={group} />),
      },
      { key: 'count', title: t('howOften'), width: 90, align: 'right', render: (group) => <Count group={group} /> },
      {
        key: 'last',
        title: t('lastTime'),
        width: 184,
        always: true,
        render: ({ lastTime }) => <Time time={lastTime} />,
      },
      {
        key: 'first',
        title: t('firstTime'),
        width: 184,
        optional: true,
        render: ({ firstTime }) => <Time time={firstTime} />,
      },
      { key: 'product', title: t('product'), width: 150, render: (group) => <Product group={group} /> },
      { key: 'place', title: t('place'), width: 110, optional: true, render: ({ place }) => <Place place={place} /> },
      { key: 'ip', title: t('address'), width: 130, render: ({ ip }) => <span className="dc-mono">{ip || '—'}</span> },
    ],
    [t, mobile],
  );
};
