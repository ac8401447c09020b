import type { VersionDetails } from '@device-center/contract';
import { useTranslation } from 'react-i18next';
import { countText } from '../../../i18n/numbers.ts';

const SHOWN = 8;

type Bar = { key: string; name: string; devices: number; kind: 'this' | 'other' | 'rest' };

const sum = (rows: readonly { devices: number }[]): number => rows.reduce((total, { devices }) => total + devices, 0);

/** One bar per frequent version, one for the other versions, one for devices that have reported none. */
const useBars = ({ running, versionNumber, productDeviceCount }: VersionDetails): Bar[] => {
  const { t } = useTranslation('firmware');
  const shown = running.slice(0, SHOWN);
  const rest = running.slice(SHOWN);
  const unreported = Math.max(0, productDeviceCount - sum(running));
  const bars: Bar[] = shown.map((row) => ({
    key: `v-${row.versionNumber}`,
    name: row.versionNumber,
    devices: row.devices,
    kind: row.versionNumber === versionNumber ? 'this' : 'other',
  }));
  if (rest.length > 0)
    bars.push({ key: 'rest', name: t('otherVersions', { count: rest.length }), devices: sum(rest), kind: 'rest' });
  if (unreported > 0)
    bars.push({ key: 'unreported', name: t('versionNotReported'), devices: unreported, kind: 'rest' });
  return bars;
};

export const RunningCard = ({ version }: { version: VersionDetails }) => {
  const { t } = useTranslation('firmware');
  const bars = useBars(version);
  const all = version.productDeviceCount;
  return (
    <section className="dc-card dc-version-card">
      <h2>{t('runningTitle', { product: version.productName })}</h2>
      {bars.length === 0 ? (
        <p className="dc-muted">{t('runningNone')}</p>
      ) : (
        <ul className="dc-running">
          {bars.map(({ key, name, devices, kind }) => (
            <li key={key} data-kind={kind}>
              <p>
                {kind === 'rest' ? <span>{name}</span> : <code className="dc-mono">{name}</code>}
                {kind === 'this' && <span className="dc-tag">{t('thisVersion')}</span>}
                <span className="dc-number">{t('deviceCount', { count: devices, shown: countText(devices) })}</span>
              </p>
              <span className="dc-share-bar" aria-hidden="true">
                <i style={{ width: `${all === 0 ? 0 : (devices / all) * 100}%` }} data-some={devices > 0} />
              </span>
            </li>
          ))}
        </ul>
      )}
    </section>
  );
};
