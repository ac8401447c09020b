import { deviceCodeName, deviceCodes, type MockStep } from '@device-center/contract';
import { DeviceError } from '@device-center/virtual-device';
import i18next from 'i18next';
import { useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { explainCode } from '../failure-texts.ts';
import { usePanel } from '../panel-context.ts';

export type OutgoingMessage = Omit<MockStep, 'after'>;
export type Outcome = { state: 'sending' | 'done' | 'failed'; text: string };

/** Text of an error of the hub: code, meaning and detail. */
const failureText = (error: unknown): string => {
  if (!(error instanceof DeviceError)) return i18next.t('mockTabs:notDelivered');
  const { code, summary, detail } = explainCode(error.code, error.message);
  const word = deviceCodeName(error.code);
  const sentence = word ? `${deviceCodes[word].en_US}: ` : '';
  const about = detail.startsWith(sentence) ? detail.slice(sentence.length) : detail;
  return [code, summary, about].filter((part) => part !== '').join(' · ');
};

/** Sends messages of the mock device and returns the result of the last send. */
export const useSendMessage = () => {
  const { t } = useTranslation('mockTabs');
  const { mock } = usePanel();
  const [outcome, setOutcome] = useState<Outcome | null>(null);
  const latest = useRef(0);

  const send = async (messages: readonly OutgoingMessage[], done: string = t('stored')): Promise<boolean> => {
    const request = ++latest.current;
    const update = (next: Outcome): void => {
      if (request === latest.current) setOutcome(next);
    };
    update({ state: 'sending', text: t('sending') });
    try {
      await Promise.all(messages.map((message) => mock.send(message)));
      update({ state: 'done', text: done });
      return true;
    } catch (error) {
      update({ state: 'failed', text: t('rejected', { reason: failureText(error) }) });
      return false;
    }
  };
  return { send, outcome, sending: outcome?.state === 'sending' };
};
