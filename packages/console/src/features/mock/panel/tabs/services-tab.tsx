import type { ModelFunction } from '@device-center/contract';
import { Radio } from 'antd';
import { SquareFunction } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { EmptyState } from '../../../../ui/empty-state.tsx';
import { usePanel } from '../panel-context.ts';
import { Collapsible } from './collapsible.tsx';
import { DefaultForm } from './default-form.tsx';
import { FunctionSearch } from './function-search.tsx';
import { FunctionTitle } from './function-title.tsx';
import { SenderSelect } from './sender-select.tsx';
import { useDefaultValues } from './use-default-values.ts';
import { useSender } from './use-sender.ts';
import { HUB_TIMEOUT_S, WaitingCall } from './waiting-call.tsx';
import './tabs.css';

/** Switches between automatic and manual responses to commands. */
const Answering = () => {
  const { t } = useTranslation('mockTabs');
  const { mock } = usePanel();
  const [byHand, setByHand] = useState(mock.answering.byHand);
  const change = (next: boolean) => {
    mock.answering.byHand = next;
    setByHand(next);
  };
  return (
    <section className="dc-tab-section">
      <h3 id="dc-answering">{t('answering')}</h3>
      <Radio.Group
        aria-labelledby="dc-answering"
        value={byHand}
        onChange={({ target }) => change(target.value as boolean)}
        options={[
          { value: false, label: t('respondAutomatically') },
          { value: true, label: t('respondManually') },
        ]}
      />
      <p className="dc-muted dc-small">
        {t(byHand ? 'respondManuallyHint' : 'respondAutomaticallyHint', { seconds: HUB_TIMEOUT_S })}
      </p>
    </section>
  );
};

const Waiting = () => {
  const { t } = useTranslation('mockTabs');
  const { pending } = usePanel();
  if (pending.length === 0) return null;
  return (
    <section className="dc-tab-section" aria-label={t('waitingTitle')}>
      <h3>
        {t('waitingTitle')} <small>{pending.length}</small>
      </h3>
      {pending.map((call) => (
        <WaitingCall key={call.id} call={call} />
      ))}
    </section>
  );
};

const Services = ({ deviceId, services }: { deviceId: string; services: ModelFunction[] }) => {
  const { t } = useTranslation('mockTabs');
  const defaults = useDefaultValues(deviceId);
  return (
    <FunctionSearch entries={services}>
      {(shown) => (
        <div className="dc-folds">
          {shown.map((entry) => (
            <Collapsible
              key={entry.signCode}
              title={<FunctionTitle entry={entry} />}
              aside={defaults.isSaved(entry.signCode) && <span className="dc-tag">{t('ownDefault')}</span>}
            >
              {() => <DefaultForm entry={entry} defaults={defaults} />}
            </Collapsible>
          ))}
        </div>
      )}
    </FunctionSearch>
  );
};

const ServicesTab = () => {
  const { t } = useTranslation('mockTabs');
  const { deviceId, functions } = useSender();
  const services = functions.filter((entry) => entry.functionType === 32);
  return (
    <div className="dc-mock-tab">
      <Answering />
      <Waiting />
      <section className="dc-tab-section">
        <h3>{t('defaultOutputs')}</h3>
        <SenderSelect />
        {services.length === 0 ? (
          <EmptyState icon={<SquareFunction size={22} />} title={t('noServices')} text={t('noServicesText')} />
        ) : (
          <Services key={deviceId} deviceId={deviceId} services={services} />
        )}
      </section>
    </div>
  );
};

export default ServicesTab;
