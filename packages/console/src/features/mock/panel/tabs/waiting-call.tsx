import {
  type DataType,
  deviceCodes,
  type ModelFunction,
  RESPONSE_MESSAGE_MAX,
  visibleText,
} from '@device-center/contract';
import type { Mock, PendingCall, RejectCode, Values } from '@device-center/virtual-device';
import { Input, Select } from 'antd';
import { useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { z } from 'zod';
import { currentLanguage } from '../../../../i18n/language.ts';
import { outputType } from '../../../../model/values/value-draft.ts';
import { ValueForm } from '../../../../model/values/value-form.tsx';
import { Button } from '../../../../ui/button.tsx';
import { problemOf } from '../../../../ui/plain-field.tsx';
import { usePanel } from '../panel-context.ts';
import { useCurrentTime } from '../use-current-time.ts';
import { useMockProfiles } from './use-sender.ts';
import './waiting-call.css';

/** Seconds for which the hub waits for a response (decisions §4). */
export const HUB_TIMEOUT_S = 10;
const messageRule = z.string().max(RESPONSE_MESSAGE_MAX);
export const errorCodeNames: readonly RejectCode[] = ['REFUSED', 'BUSY', 'UNSUPPORTED'];

export const errorCodeOptions = () =>
  errorCodeNames.map((value) => ({ value, label: `${value} · ${deviceCodes[value][currentLanguage()]}` }));

const objectTypeOf = (model: readonly ModelFunction[], signCodes: readonly string[]): DataType => ({
  type: 'json',
  fields: signCodes.flatMap((signCode) => {
    const entry = model.find((known) => known.signCode === signCode);
    if (entry?.functionType !== 1) return [];
    const { dataType } = entry.functionDefinition;
    return [{ identifier: signCode, name: entry.functionName, dataType, required: true }];
  }),
});

/** Type and initial value of a response: a service's output, or the current properties. */
const responseFormOf = (
  mock: Mock,
  { deviceId, kind, name, input }: PendingCall,
): { type: DataType; value: unknown } => {
  const model = mock.modelOf(deviceId);
  if (kind === 'get') {
    const signCodes = input as string[];
    return { type: objectTypeOf(model, signCodes), value: mock.behaviorOf(deviceId).read(signCodes) };
  }
  if (kind === 'set') return { type: objectTypeOf(model, Object.keys(input as Values)), value: input };
  const entry = model.find(({ signCode }) => signCode === name);
  return entry
    ? { type: outputType(entry), value: mock.defaultsOf(deviceId)[name] }
    : { type: { type: 'json', fields: [] }, value: {} };
};

const RejectForm = ({ call }: { call: PendingCall }) => {
  const { t } = useTranslation('mockTabs');
  const [code, setCode] = useState<RejectCode>('REFUSED');
  const [message, setMessage] = useState('');
  const problem = problemOf(messageRule, message);
  return (
    <div className="dc-refuse">
      <Select<RejectCode>
        aria-label={t('rejectCode')}
        options={errorCodeOptions()}
        value={code}
        onChange={setCode}
        popupMatchSelectWidth={false}
      />
      <Input
        aria-label={t('rejectReason')}
        placeholder={t('rejectReason')}
        value={message}
        {...(problem === '' ? {} : { status: 'error' as const })}
        onChange={(event) => setMessage(event.target.value)}
      />
      <span role="alert" className="dc-field-error">
        {problem}
      </span>
      <Button danger disabled={problem !== ''} onClick={() => call.refuse(code, message.trim() || undefined)}>
        {t('reject')}
      </Button>
    </div>
  );
};

/** A command that waits for a manual response. */
export const WaitingCall = ({ call }: { call: PendingCall }) => {
  const { t } = useTranslation('mockTabs');
  const { mock } = usePanel();
  const bodies = useMockProfiles();
  const seconds = Math.max(0, Math.floor((useCurrentTime() - call.at) / 1_000));
  const { type, value } = useMemo(() => responseFormOf(mock, call), [mock, call]);
  const over = seconds >= HUB_TIMEOUT_S;
  const title = t(`waiting_${call.kind}`, { name: call.name });
  const of = bodies.length > 1 ? bodies.find(({ deviceId }) => deviceId === call.deviceId)?.deviceName : undefined;
  return (
    <article className="dc-waiting" aria-label={title} data-over={over}>
      <header>
        <strong>{title}</strong>
        {of !== undefined && <span className="dc-tag">{of}</span>}
        <span className="dc-waiting-time dc-number">{t('waitingFor', { seconds })}</span>
      </header>
      {over && (
        <p className="dc-waiting-over" role="alert">
          {t('waitingOver', { seconds: HUB_TIMEOUT_S })}
        </p>
      )}
      <div>
        <h4>{t(`asked_${call.kind}`)}</h4>
        <pre className="dc-panel">{visibleText(JSON.stringify(call.input, null, 2))}</pre>
      </div>
      <ValueForm type={type} label={t('answerWith')} value={value} onSubmit={(output) => call.answer(output as Values)}>
        <div className="dc-tab-actions">
          <Button type="primary" htmlType="submit">
            {t('answer')}
          </Button>
        </div>
      </ValueForm>
      <RejectForm call={call} />
    </article>
  );
};
