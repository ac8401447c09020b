import { type DeviceDetails, deviceAttributeNames } from '@device-center/contract';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { usePlatformOperator } from '../../../api/platform-operator.ts';
import { useCan } from '../../../api/session.ts';
import { attributeLabel } from '../../../i18n/attribute-label.ts';
import { applicationPath, devicePath, productPath } from '../../../paths.ts';
import { CopyId } from '../../../ui/copy-id.tsx';
import type { Fact } from '../../../ui/fact-list.tsx';
import { absoluteText, RelativeTime } from '../../../ui/relative-time.tsx';
import { Link, type Path } from '../../../ui/routing.ts';
import { KeyValue } from '../../../ui/states.tsx';
import { attributeValue } from '../device-attributes.tsx';
import { PropertyCards } from './property-cards.tsx';

const copyable = (value: string, label: string): ReactNode =>
  value === '' ? '' : <CopyId value={value} label={label} />;

const SecretState = ({ device }: { device: DeviceDetails }) => {
  const { t } = useTranslation('deviceDetail');
  const { reregisterUntil, secretProven, productSecretAccepted } = device;
  if (reregisterUntil !== '') return t('reregisterUntil', { time: absoluteText(reregisterUntil) });
  if (secretProven === 1) return t('secretProvenYes');
  return t(productSecretAccepted === 1 ? 'productSecretAccepted' : 'secretProvenNo');
};

const DeviceAttributes = ({ device }: { device: DeviceDetails }) => {
  const { t } = useTranslation('deviceDetail');
  const operator = usePlatformOperator();
  const mayReadProducts = useCan('product:read');
  const mayReadApplications = useCan('application:read');
  const linked = (mayOpen: boolean, to: Path, text: string) => (mayOpen ? <Link to={to}>{text}</Link> : text);
  const { productId, productName, applicationId, applicationName, parentId, parentName } = device;
  const items: (Fact | false)[] = [
    { label: t('product'), value: linked(mayReadProducts, productPath(productId), productName) },
    { label: t('productKey'), value: copyable(device.productKey, t('productKey')) },
    { label: t('category'), value: device.categoryName },
    { label: t('nodeType'), value: device.nodeTypeName },
    { label: t('protocol'), value: device.protocolName },
    { label: t('application'), value: linked(mayReadApplications, applicationPath(applicationId, 2), applicationName) },
    operator && { label: t('tenancy'), value: device.tenancyName },
    { label: t('zone'), value: device.zoneName },
    parentId !== '' && { label: t('gateway'), value: <Link to={devicePath(parentId)}>{parentName || parentId}</Link> },
    { label: t('firmware'), value: device.versionNumber },
    ...deviceAttributeNames.map((attribute) => ({
      label: attributeLabel(attribute),
      value: attributeValue(attribute, device[attribute]),
    })),
    { label: t('hardware'), value: device.hardware },
    { label: t('sdk'), value: device.sdk },
    { label: t('address'), value: copyable(device.ip, t('address')) },
    { label: t('transport'), value: device.transport },
    { label: t('signMethod'), value: device.signMethod },
    // This platform does not have the secret of a received device.
    device.received === 0 && { label: t('secretProven'), value: <SecretState device={device} /> },
    { label: t('modelVersion'), value: device.modelVersion === 0 ? '' : device.modelVersion },
    { label: t('firstConnect'), value: <RelativeTime value={device.firstConnectTime} /> },
    { label: t('registered'), value: <RelativeTime value={device.createTime} /> },
  ];
  return (
    <aside className="dc-card dc-device-facts">
      <h2>{t('facts')}</h2>
      <KeyValue items={items.filter((item): item is Fact => item !== false)} />
    </aside>
  );
};

export const OverviewTab = ({ device }: { device: DeviceDetails }) => {
  const mayRead = useCan('device:read');
  return (
    <div className="dc-device-overview">
      {mayRead && (
        <div className="dc-device-values">
          <PropertyCards device={device} />
        </div>
      )}
      <DeviceAttributes device={device} />
    </div>
  );
};
