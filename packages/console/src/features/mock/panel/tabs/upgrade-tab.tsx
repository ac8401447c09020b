import { type MockUpgradeFault, mockUpgradeFaults, type UpgradeOrder } from '@device-center/contract';
import type { MockUpgrade, UpgradeState } from '@device-center/virtual-device';
import { Progress, Select } from 'antd';
import { Check, CircleDashed, CloudDownload, LoaderCircle, X } from 'lucide-react';
import { useId } from 'react';
import { useTranslation } from 'react-i18next';
import { countText } from '../../../../i18n/numbers.ts';
import { CopyId } from '../../../../ui/copy-id.tsx';
import { EmptyState } from '../../../../ui/empty-state.tsx';
import { type Fact, FactList } from '../../../../ui/fact-list.tsx';
import { usePanel } from '../panel-context.ts';
import { SenderSelect } from './sender-select.tsx';
import { stepStates, type UpgradeStep, type UpgradeStepState, upgradeSteps } from './upgrade-steps.ts';
import { useSender } from './use-sender.ts';
import { useUpgrade } from './use-upgrade.ts';
import './tabs.css';
import './upgrade-tab.css';

const icons: Record<UpgradeStepState, typeof Check> = {
  idle: CircleDashed,
  working: LoaderCircle,
  done: Check,
  failed: X,
};

const wordOf = (fault: MockUpgradeFault) => (fault === '' ? 'none' : fault);

type FaultChoiceProps = { fault: MockUpgradeFault; onChoose: (fault: MockUpgradeFault) => void };

/** Selects the upgrade fault to inject, and shows its effect. */
const FaultChoice = ({ fault, onChoose }: FaultChoiceProps) => {
  const { t } = useTranslation('mockTabs');
  const id = useId();
  return (
    <section className="dc-tab-section">
      <div className="dc-speak-for">
        <label htmlFor={id}>{t('upgradeFault')}</label>
        <Select<MockUpgradeFault>
          id={id}
          options={mockUpgradeFaults.map((value) => ({ value, label: t(`upgradeFault_${wordOf(value)}`) }))}
          value={fault}
          onChange={onChoose}
        />
        {fault !== '' && <span className="dc-tag dc-upgrade-armed">{t('armed')}</span>}
      </div>
      <p className="dc-muted dc-small">{t(`upgradeEffect_${wordOf(fault)}`)}</p>
    </section>
  );
};

const OrderFacts = ({ order }: { order: UpgradeOrder }) => {
  const { t } = useTranslation('mockTabs');
  const copyable = (label: string, value: string): Fact => ({ label, value: <CopyId value={value} label={label} /> });
  const facts: Fact[] = [
    { label: t('upgradeTarget'), value: <strong className="dc-number">{order.versionNumber}</strong> },
    copyable(t('upgradeRecord'), order.deviceOtaTaskId),
    { label: t('upgradeAttempt'), value: <span className="dc-number">{order.attempt}</span> },
    {
      label: t('upgradeSize'),
      value: <span className="dc-number">{t('upgradeBytes', { size: countText(order.size) })}</span>,
    },
    copyable('SHA-256', order.sha256),
    copyable(t('upgradeKey'), order.manifest.keyId),
    ...(order.allowOlder ? [{ label: t('upgradeOlder'), value: t('upgradeOlderYes') }] : []),
  ];
  return <FactList className="dc-upgrade-facts" facts={facts} />;
};

type StepLineProps = { step: UpgradeStep; state: UpgradeStepState; upgrade: UpgradeState };

const StepLine = ({ step, state, upgrade: { percent, detail } }: StepLineProps) => {
  const { t } = useTranslation('mockTabs');
  const Icon = icons[state];
  return (
    <li className="dc-upgrade-step" data-state={state}>
      <Icon size={16} aria-hidden />
      <div>
        <h4>{t(`upgradeStep_${step}`)}</h4>
        <p className="dc-upgrade-state">{t(`upgradeState_${state}`)}</p>
        {step === 'download' && state === 'working' && (
          <Progress percent={percent} size="small" aria-label={t('upgradeStep_download')} />
        )}
        {step === 'verify' && state === 'done' && <p className="dc-muted dc-small">{t('upgradeVerified')}</p>}
        {state === 'failed' && detail && <code className="dc-mono">{detail}</code>}
      </div>
    </li>
  );
};

const Course = ({ state }: { state: UpgradeState }) => {
  const { t } = useTranslation('mockTabs');
  const states = stepStates(state);
  return (
    <>
      <ol className="dc-upgrade-steps">
        {upgradeSteps.map((step, index) => (
          <StepLine key={step} step={step} state={states[index] ?? 'idle'} upgrade={state} />
        ))}
      </ol>
      <p className={state.phase === 'cancelled' ? 'dc-tab-warning' : 'dc-visually-hidden'} role="status">
        {t(`upgradePhase_${state.phase}`)}
      </p>
    </>
  );
};

const LastOrder = ({ upgrade: { order, state } }: { upgrade: MockUpgrade }) => {
  const { t } = useTranslation('mockTabs');
  return (
    <section className="dc-tab-section">
      <h3>{t('upgradeOrder')}</h3>
      {order ? (
        <>
          <OrderFacts order={order} />
          {state ? <Course state={state} /> : <p className="dc-tab-warning">{t('upgradeNotBegun')}</p>}
        </>
      ) : (
        <EmptyState icon={<CloudDownload size={22} />} title={t('upgradeNone')} text={t('upgradeNoneText')} />
      )}
    </section>
  );
};

/** The last upgrade order of the device, its progress, and fault injection. */
const UpgradeTab = () => {
  const { t } = useTranslation('mockTabs');
  const { mock } = usePanel();
  const { deviceId } = useSender();
  const upgrade = useUpgrade(mock, deviceId);
  return (
    <div className="dc-mock-tab">
      <SenderSelect />
      <p>
        {t('upgradeRuns')} <strong className="dc-number">{upgrade.versionNumber}</strong>
      </p>
      <FaultChoice fault={upgrade.fault} onChoose={(fault) => mock.setUpgradeFault(deviceId, fault)} />
      <LastOrder upgrade={upgrade} />
    </div>
  );
};

export default UpgradeTab;
