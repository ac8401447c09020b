import type { RejectedGroup } from '@device-center/contract';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { useCan } from '../../../api/session.ts';
import { countText } from '../../../i18n/numbers.ts';
import { devicePath, productPath } from '../../../paths.ts';
import type { Column } from '../../../ui/data-table.tsx';
import { useMobile } from '../../../ui/media.ts';
import { NameCell } from '../../../ui/name-cell.tsx';
import { Link } from '../../../ui/routing.ts';
import { Cause, Phase, Time } from './rejected-parts.tsx';

type GroupProps = { group: RejectedGroup };

/** An unknown id is not linked: it may be a typing error in the device, or a foreign device. */
const Device = ({ group: { deviceId, deviceName } }: GroupProps) => {
  const { t } = useTranslation('rejected');
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
  const { t } = useTranslation('rejected');
  return <span className="dc-number">{t('times', { times: countText(count), count })}</span>;
};

/** Stacked, for narrow screens. */
const Group = ({ group }: GroupProps) => (
  <div className="dc-rejected-cause">
    <Device group={group} />
    <Cause rejection={group} />
    <span className="dc-rejected-head dc-muted dc-small">
      <Count group={group} />
      <Time time={group.lastTime} />
      <Product group={group} />
      <span>{group.ip}</span>
    </span>
  </div>
);

/** One row per device and cause, with the remedy. */
export const useGroupColumns = (): Column<RejectedGroup>[] => {
  const { t } = useTranslation('rejected');
  const mobile = useMobile();
  return useMemo(
    () => [
      { key: 'device', title: t('device'), width: 210, always: true, render: (group) => <Device group={group} /> },
      {
        key: 'cause',
        title: t('cause'),
        always: true,
        mobile: true,
        render: (group) => (mobile ? <Group group={group} /> : <Cause rejection={group} />),
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
      { key: 'place', title: t('place'), width: 110, optional: true, render: ({ place }) => <Phase place={place} /> },
      { key: 'ip', title: t('address'), width: 130, render: ({ ip }) => <span className="dc-mono">{ip || '—'}</span> },
    ],
    [t, mobile],
  );
};
