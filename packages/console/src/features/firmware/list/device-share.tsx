import { useTranslation } from 'react-i18next';
import { countText } from '../../../i18n/numbers.ts';
import './device-share.css';

type DeviceShareProps = { devices: number; all: number };

/** Number and share of a product's devices. */
export const DeviceShare = ({ devices, all }: DeviceShareProps) => {
  const { t } = useTranslation('firmware');
  if (all === 0) return <span className="dc-muted">{t('noDevices')}</span>;
  return (
    <div className="dc-device-share">
      <span className="dc-number">{t('shareOfDevices', { devices: countText(devices), all: countText(all) })}</span>
      <span className="dc-share-bar" aria-hidden="true">
        <i style={{ width: `${Math.min(100, (devices / all) * 100)}%` }} data-some={devices > 0} />
      </span>
    </div>
  );
};
