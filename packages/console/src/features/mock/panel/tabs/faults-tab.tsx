import { mockCalls } from '@device-center/contract';
import type { RejectCode } from '@device-center/virtual-device';
import { Select, Switch } from 'antd';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useCallMutation } from '../../../../api/use-call.ts';
import { Button } from '../../../../ui/button.tsx';
import { StatusDot } from '../../../../ui/status-dot.tsx';
import { usePanel } from '../panel-context.ts';
import { Collapsible } from './collapsible.tsx';
import { Fault } from './fault.tsx';
import { invalidValueFor } from './invalid-value.ts';
import { NumberField } from './number-field.tsx';
import { readableOf } from './property-drafts.ts';
import { RawSend } from './raw-send.tsx';
import { SenderSelect } from './sender-select.tsx';
import { armedCount, useFaults } from './use-faults.ts';
import { useSender } from './use-sender.ts';
import { errorCodeOptions, HUB_TIMEOUT_S } from './waiting-call.tsx';
import './tabs.css';

const SIGNATURES_MAX = 100;
const DELAY_MAX_S = 60;

/** Faults with immediate effect: drop the connection or expire the token. */
const ImmediateFaults = () => {
  const { t } = useTranslation('mockTabs');
  const { details, mock, online } = usePanel();
  const expire = useCallMutation(mockCalls.expireMockToken, { toast: true });
  const why = online ? '' : t('notOnline');
  return (
    <>
      <Fault title={t('drop')} effect={t('dropEffect')} seenIn="connections">
        {(labelId) => (
          <Button aria-describedby={labelId} disabled={!online} title={why} onClick={() => mock.device.disrupt()}>
            {t('dropNow')}
          </Button>
        )}
      </Fault>
      <Fault title={t('expire')} effect={t('expireEffect')} seenIn="connections">
        {(labelId) => (
          <Button
            aria-describedby={labelId}
            disabled={!online}
            title={why}
            loading={expire.isPending}
            onClick={() => expire.mutate({ deviceId: details.deviceId })}
          >
            {t('expireNow')}
          </Button>
        )}
      </Fault>
    </>
  );
};

const WrongSignatures = () => {
  const { t } = useTranslation('mockTabs');
  const { mock } = usePanel();
  const { wrongSignatures } = useFaults(mock);
  const [count, setCount] = useState(1);
  return (
    <Fault title={t('signature')} effect={t('signatureEffect')} seenIn="connections" armed={wrongSignatures > 0}>
      {(labelId) =>
        wrongSignatures > 0 ? (
          <>
            <span role="status">{t('signaturesLeft', { count: wrongSignatures })}</span>
            <Button onClick={() => mock.arm({ wrongSignatures: 0 })}>{t('faultOff')}</Button>
          </>
        ) : (
          <>
            <NumberField
              aria-labelledby={labelId}
              min={1}
              max={SIGNATURES_MAX}
              suffix={t('messagesUnit')}
              value={count}
              onChange={setCount}
            />
            <Button aria-describedby={labelId} onClick={() => mock.arm({ wrongSignatures: count })}>
              {t('arm')}
            </Button>
          </>
        )
      }
    </Fault>
  );
};

/** Faults of command responses. */
const ResponseFaults = () => {
  const { t } = useTranslation('mockTabs');
  const { mock } = usePanel();
  const { answerDelayMs, refuseWith, silent } = useFaults(mock);
  const seconds = answerDelayMs / 1_000;
  const slowEffect = seconds > HUB_TIMEOUT_S ? 'slowEffectOver' : 'slowEffect';
  return (
    <>
      <Fault
        title={t('slow')}
        effect={t(slowEffect, { seconds: HUB_TIMEOUT_S })}
        seenIn="functions"
        armed={seconds > 0}
      >
        {(labelId) => (
          <NumberField
            aria-labelledby={labelId}
            min={0}
            max={DELAY_MAX_S}
            precision={1}
            suffix={t('secondsUnit')}
            value={seconds}
            onChange={(next) => mock.arm({ answerDelayMs: Math.round(next * 1_000) })}
          />
        )}
      </Fault>
      <Fault title={t('rejectAll')} effect={t('rejectAllEffect')} seenIn="functions" armed={refuseWith !== null}>
        {(labelId) => (
          <Select<RejectCode | ''>
            aria-labelledby={labelId}
            options={[{ value: '', label: t('faultOff') }, ...errorCodeOptions()]}
            value={refuseWith ?? ''}
            popupMatchSelectWidth={false}
            onChange={(word) => mock.arm({ refuseWith: word === '' ? null : word })}
          />
        )}
      </Fault>
      <Fault
        title={t('silent')}
        effect={t('silentEffect', { seconds: HUB_TIMEOUT_S })}
        seenIn="functions"
        armed={silent}
      >
        {(labelId) => <Switch aria-labelledby={labelId} checked={silent} onChange={(on) => mock.arm({ silent: on })} />}
      </Fault>
    </>
  );
};

const InvalidValue = () => {
  const { t } = useTranslation('mockTabs');
  const { deviceId, functions } = useSender();
  const [first] = readableOf(functions);
  if (!first) return null;
  const suggestion = { [first.signCode]: invalidValueFor(first.functionDefinition.dataType) };
  return (
    <Collapsible title={t('unfitTitle')}>
      {() => (
        <>
          <p className="dc-muted dc-small">{t('unfitEffect')}</p>
          <SenderSelect />
          <RawSend key={deviceId} suggestion={suggestion} />
        </>
      )}
    </Collapsible>
  );
};

const FaultsTab = () => {
  const { t } = useTranslation('mockTabs');
  const { mock } = usePanel();
  const armed = armedCount(useFaults(mock));
  return (
    <div className="dc-mock-tab">
      <div className="dc-tab-actions">
        <span role="status">
          <StatusDot tone={armed > 0 ? 'warning' : 'offline'}>
            {t(armed > 0 ? 'armedCount' : 'noneArmed', { count: armed })}
          </StatusDot>
        </span>
        <Button disabled={armed === 0} onClick={mock.disarm}>
          {t('allOff')}
        </Button>
      </div>
      <ul className="dc-fault-list">
        <ImmediateFaults />
        <WrongSignatures />
        <ResponseFaults />
      </ul>
      <InvalidValue />
    </div>
  );
};

export default FaultsTab;
