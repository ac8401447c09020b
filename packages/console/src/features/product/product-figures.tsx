import { type ProductOverview, productCalls } from '@device-center/contract';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useCan } from '../../api/session.ts';
import { useCall } from '../../api/use-call.ts';
import { changeText, countText, percentText } from '../../i18n/numbers.ts';
import { operatorZone } from '../../i18n/operator-zone.ts';
import { productPath } from '../../paths.ts';
import { Link } from '../../ui/routing.ts';
import { Sparkline } from '../../ui/sparkline.tsx';
import { ErrorCard } from '../../ui/states.tsx';
import './product-figures.css';

const share = (part: number, whole: number): number => (whole === 0 ? 0 : part / whole);
const width = (part: number, whole: number) => ({ width: `${share(part, whole) * 100}%` });

type FiguresProps = { productId: string; overview: ProductOverview };

const Online = ({ productId, overview: { devices, online } }: FiguresProps) => {
  const { t } = useTranslation('product');
  const mayDevices = useCan('device:list');
  const words = t('figureOnlineOf', { online: countText(online), devices: countText(devices), count: devices });
  return (
    <>
      <p className="dc-product-number">{percentText(share(online, devices))}</p>
      <div className="dc-share" aria-hidden="true">
        <i style={width(online, devices)} />
      </div>
      {mayDevices ? (
        <Link to={productPath(productId)} search={{ tab: 'devices', online: 1 }}>
          {words}
        </Link>
      ) : (
        <p>{words}</p>
      )}
    </>
  );
};

const Versions = ({ overview: { devices, versions, otherVersions } }: FiguresProps) => {
  const { t } = useTranslation('product');
  const rows = versions.map((row) => ({
    key: row.versionNumber,
    name: row.versionNumber === '' ? t('versionUnknown') : row.versionNumber,
    devices: row.devices,
  }));
  // This key cannot clash with a version, because it contains a space.
  if (otherVersions.versions > 0)
    rows.push({
      key: 'other versions',
      name: t('otherVersions', { count: otherVersions.versions }),
      devices: otherVersions.devices,
    });
  return (
    <ul>
      {rows.map((row) => (
        <li key={row.key}>
          <p>
            <span title={row.name}>{row.name}</span>
            <span className="dc-number">
              {countText(row.devices)} <small>{percentText(share(row.devices, devices))}</small>
            </span>
          </p>
          <div className="dc-share" aria-hidden="true">
            <i style={width(row.devices, devices)} />
          </div>
        </li>
      ))}
    </ul>
  );
};

const Trend = ({ overview: { devices, days } }: FiguresProps) => {
  const { t } = useTranslation('product');
  const added = devices - (days[0]?.devices ?? devices);
  return (
    <>
      <p className="dc-product-number">{countText(devices)}</p>
      <p>
        {added === 0
          ? t('figureUnchanged', { days: days.length })
          : t('figureAdded', { added: changeText(added), days: days.length })}
      </p>
      <Sparkline
        points={days.map((day, place) => ({ time: place, value: day.devices }))}
        label={t('figureTrend', {
          from: days.at(0)?.date ?? '',
          to: days.at(-1)?.date ?? '',
          first: countText(days.at(0)?.devices ?? 0),
          last: countText(devices),
        })}
        filled
      />
    </>
  );
};

const Card = ({ title, children }: { title: string; children: ReactNode }) => (
  <section className="dc-card dc-product-figure" aria-label={title}>
    <h2>{title}</h2>
    {children}
  </section>
);

/** Device statistics of a product: online share, firmware versions and trend. */
export const ProductFigures = ({ productId }: { productId: string }) => {
  const { t } = useTranslation('product');
  const { data, error, refetch } = useCall(productCalls.getProductOverview, { productId, timezone: operatorZone() });
  if (error && !data)
    return (
      <section className="dc-card dc-product-figures-failed">
        <ErrorCard error={error} onRetry={() => void refetch()} />
      </section>
    );
  const shown = data && { productId, overview: data };
  return (
    <div className="dc-product-figures" aria-busy={!data}>
      <Card title={t('figureOnline')}>{shown && <Online {...shown} />}</Card>
      <Card title={t('figureVersions')}>{shown && <Versions {...shown} />}</Card>
      <Card title={t('figureDevices')}>{shown && <Trend {...shown} />}</Card>
    </div>
  );
};
