import { ConnectStatus, deviceCodes, isDeviceCodeName, isDisconnectReason } from '@device-center/contract';
import i18next from 'i18next';
import { currentLanguage } from '../../i18n/language.ts';
import type { Tone } from '../../ui/status-dot.tsx';
import type { FeedItem } from './feed.ts';

/** Why a connection ended or was refused. A newer hub may have words that are unknown here. */
const reasonWords = (reason: string): string => {
  if (isDisconnectReason(reason)) return i18next.t(`home:cut_${reason}`);
  return isDeviceCodeName(reason) ? deviceCodes[reason][currentLanguage()] : reason;
};

const EVENT_TONES = { info: 'running', call: 'warning', alarm: 'failed' } as const satisfies Record<string, Tone>;

export type FeedWords = { tone: Tone; said: string; detail: string };

/** Nothing but brackets says nothing. */
const outputWords = (value: string): string => (/^[{}[\]\s]*$/.test(value) ? '' : value);

export const wordsOf = (item: Exclude<FeedItem, { kind: 'gap' }>): FeedWords => {
  if (item.kind === 'event') {
    const { eventType, eventName, value } = item.data;
    const kind = i18next.t(`home:event_${eventType}`);
    return { tone: EVENT_TONES[eventType], said: `${kind} · ${eventName}`, detail: outputWords(value) };
  }
  const { status, reason } = item.data;
  switch (status) {
    case ConnectStatus.connected:
      return { tone: 'online', said: i18next.t('home:connected'), detail: '' };
    case ConnectStatus.disconnected:
      return { tone: 'offline', said: i18next.t('home:disconnected'), detail: reasonWords(reason) };
    case ConnectStatus.refused:
      return { tone: 'failed', said: i18next.t('home:refused'), detail: reasonWords(reason) };
  }
};
