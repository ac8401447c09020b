import { Select } from 'antd';
import { useId } from 'react';
import { useTranslation } from 'react-i18next';
import { usePanel } from '../panel-context.ts';
import { useMockProfiles, useSender } from './use-sender.ts';

/** Selects whether a gateway sends for itself or for a child. Other devices need no selection. */
export const SenderSelect = () => {
  const { t } = useTranslation('mockTabs');
  const id = useId();
  const { details, mounted, choose } = usePanel();
  const { deviceId: chosen } = useSender();
  const bodies = useMockProfiles();
  if (bodies.length < 2) return null;
  const options = bodies.map(({ deviceId, deviceName }) => {
    if (deviceId === details.deviceId) return { value: deviceId, label: `${deviceName} · ${t('gatewayItself')}` };
    const isMounted = mounted.includes(deviceId);
    return { value: deviceId, label: isMounted ? deviceName : `${deviceName} · ${t('unmounted')}` };
  });
  return (
    <div className="dc-speak-for">
      <label htmlFor={id}>{t('sendAs')}</label>
      <Select<string>
        id={id}
        options={options}
        value={chosen}
        showSearch={{ optionFilterProp: 'label' }}
        onChange={choose}
      />
    </div>
  );
};
