import { ANSWER_WORDS_MAX, type DataType, deviceCodes, type ModelFunction, visibleText } from '@device-center/contract';
import type { Mock, PendingCall, RefusalWord, Values } from '@device-center/virtual-device';
import { Input, Select } from 'antd';
import { useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { z } from 'zod';
import { currentLanguage } from '../../../../i18n/language.ts';
import { typeSaid } from '../../../../model/values/value-draft.ts';
import { ValueForm } from '../../../../model/values/value-form.tsx';
import { Button } from '../../../../ui/button.tsx';
import { problemOf } from '../../../../ui/plain-field.tsx';
import { usePanel } from '../panel-context.ts';
import { useSecond } from '../use-second.ts';
import { useBodies } from './use-sender.ts';
import './waiting-call.css';

/** Seconds for which the hub waits for a response (decisions §4). */
export const HUB_WAITS_S = 10;
const sentenceRule = z.string().max(ANSWER_WORDS_MAX);
export const refusalWords: readonly RefusalWord[] = ['REFUSED', 'BUSY', 'UNSUPPORTED'];

export const refusalOptions = () =>
  refusalWords.map((value) => ({ value, label: `${value} · ${deviceCodes[value][currentLanguage()]}` }));

const fieldsOf = (model: readonly ModelFunction[], signCodes: readonly string[]): DataType => ({
  type: 'json',
  fields: signCodes.flatMap((signCode) => {
    const entry = model.find((known) => known.signCode === signCode);
    if (entry?.functionType !== 1) return [];
    const { dataType } = entry.functionDefinition;
    return [{ identifier: signCode, name: entry.functionName, dataType, required: true }];
  }),
});

/** Type and initial value of a response: a service's output, or the current properties. */
const answerOf = (mock: Mock, { deviceId, kind, name, input }: PendingCall): { type: DataType; value: unknown } => {
  const model = mock.modelOf(deviceId);
  if (kind === 'get') {
    const signCodes = input as string[];
    return { type: fieldsOf(model, signCodes), value: mock.bodyOf(deviceId).read(signCodes) };
  }
  if (kind === 'set') return { type: fieldsOf(model, Object.keys(input as Values)), value: input };
  const entry = model.find(({ signCode }) => signCode === name);
  return entry
    ? { type: typeSaid(entry), value: mock.defaultsOf(deviceId)[name] }
    : { type: { type: 'json', fields: [] }, value: {} };
};

const Refuse = ({ call }: { call: PendingCall }) => {
  const { t } = useTranslation('mockTabs');
  const [word, setWord] = useState<RefusalWord>('REFUSED');
  const [sentence, setSentence] = useState('');
  const problem = problemOf(sentenceRule, sentence);
  return (
    <div className="dc-refuse">
      <Select<RefusalWord>
        aria-label={t('refusal')}
        options={refusalOptions()}
        value={word}
        onChange={setWord}
        popupMatchSelectWidth={false}
      />
      <Input
        aria-label={t('refusalSentence')}
        placeholder={t('refusalSentence')}
        value={sentence}
        {...(problem === '' ? {} : { status: 'error' as const })}
        onChange={(event) => setSentence(event.target.value)}
      />
      <span role="alert" className="dc-field-error">
        {problem}
      </span>
      <Button danger disabled={problem !== ''} onClick={() => call.refuse(word, sentence.trim() || undefined)}>
        {t('refuse')}
      </Button>
    </div>
  );
};

/** A command that waits for a manual response. */
export const WaitingCall = ({ call }: { call: PendingCall }) => {
  const { t } = useTranslation('mockTabs');
  const { mock } = usePanel();
  const bodies = useBodies();
  const seconds = Math.max(0, Math.floor((useSecond() - call.at) / 1_000));
  const { type, value } = useMemo(() => answerOf(mock, call), [mock, call]);
  const over = seconds >= HUB_WAITS_S;
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
          {t('waitingOver', { seconds: HUB_WAITS_S })}
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
      <Refuse call={call} />
    </article>
  );
};
