import type { DeviceDetails, ModelFunction } from '@device-center/contract';
import { Modal } from 'antd';
import { Activity } from 'lucide-react';
import { Suspense, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { isWritable } from '../../../model/values/value-draft.ts';
import { Loaded, LoadingCard } from '../../../ui/detail-page.tsx';
import { lazyPart } from '../../../ui/lazy-part.tsx';
import { EmptyState } from '../../../ui/states.tsx';
import { type LatestValues, useLatestValues } from './latest-values.ts';
import { isProperty, type PropertyFunction, useFunctions } from './model-query.ts';
import { PropertyCard } from './property-card.tsx';

// Loaded when the user sets a property.
const FunctionForm = lazyPart(() => import('./function-form.tsx'));

type SetDialogProps = { device: DeviceDetails; entry: PropertyFunction; value: unknown; onClose: () => void };

const SetDialog = ({ device, entry, value, onClose }: SetDialogProps) => {
  const { t } = useTranslation('deviceDetail');
  return (
    <Modal open footer={null} width={520} title={t('setTitle', { name: entry.functionName })} onCancel={onClose}>
      <Suspense fallback={<LoadingCard />}>
        {isWritable(entry) && <FunctionForm device={device} entry={entry} value={value} />}
      </Suspense>
    </Modal>
  );
};

type CardsProps = {
  device: DeviceDetails;
  properties: PropertyFunction[];
  values: LatestValues;
};

const Cards = ({ device, properties, values }: CardsProps) => {
  const { t } = useTranslation('deviceDetail');
  const [setting, setSetting] = useState<string>();
  const chosen = properties.find(({ signCode }) => signCode === setting);
  if (properties.length === 0)
    return (
      <section className="dc-card">
        <EmptyState icon={<Activity size={22} />} title={t('noProperties')} text={t('noPropertiesText')} />
      </section>
    );
  return (
    <>
      {values.size === 0 && (
        <p className="dc-never-reported" role="status">
          <strong>{t('neverReportedTitle')}</strong> {t('neverReportedText')}
        </p>
      )}
      <div className="dc-property-grid">
        {properties.map((entry) => (
          <PropertyCard
            key={entry.signCode}
            device={device}
            entry={entry}
            latest={values.get(entry.signCode)}
            onSet={() => setSetting(entry.signCode)}
          />
        ))}
      </div>
      {chosen && (
        <SetDialog
          device={device}
          entry={chosen}
          value={values.get(chosen.signCode)?.value}
          onClose={() => setSetting(undefined)}
        />
      )}
    </>
  );
};

export const PropertyCards = ({ device }: { device: DeviceDetails }) => {
  const functions = useFunctions(device.productId);
  const values = useLatestValues(device.deviceId);
  return (
    <Loaded<ModelFunction[]> query={functions}>
      {(entries) => (
        <Loaded<LatestValues> query={values}>
          {(latest) => <Cards device={device} properties={entries.filter(isProperty)} values={latest} />}
        </Loaded>
      )}
    </Loaded>
  );
};
