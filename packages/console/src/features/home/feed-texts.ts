import { ConnectStatus, deviceCodes, isDeviceCodeName, isDisconnectReason } from '@device-center/contract';
import i18next from 'i18next';
import { currentLanguage } from '../../i18n/language.ts';
import type { Tone } from '../../ui/status-dot.tsx';
import type { FeedItem } from './feed.ts';

/** The text of a disconnect or rejection reason. An unknown reason of a newer hub is shown as it is. */
const reasonText = (reason: string): string => {
  if (isDisconnectReason(reason)) return i18next.t(`home:disconnect_${reason}`);
  return isDeviceCodeName(reason) ? deviceCodes[reason][currentLanguage()] : reason;
};

const EVENT_TONES = { info: 'running', call: 'warning', alarm: 'failed' } as const satisfies Record<string, Tone>;

export type FeedText = { tone: Tone; title: string; detail: string };

/** Empty for a value without content, such as `{}`. */
const outputText = (value: string): string => (/^[{}[\]\s]*$/.test(value) ? '' : value);

export const feedTextOf = (item: Exclude<FeedItem, { kind: 'gap' }>): FeedText => {
  if (item.kind === 'event') {
    const { eventType, eventName, value } = item.data;
    const kind = i18next.t(`home:event_${eventType}`);
    return { tone: EVENT_TONES[eventType], title: `${kind} · ${eventName}`, detail: outputText(value) };
  }
  const { status, reason } = item.data;
  switch (status) {
    case ConnectStatus.connected:
      return { tone: 'online', title: i18next.t('home:connected'), detail: '' };
    case ConnectStatus.disconnected:
      return { tone: 'offline', title: i18next.t('home:disconnected'), detail: reasonText(reason) };
    case ConnectStatus.refused:
      return { tone: 'failed', title: i18next.t('home:rejected'), detail: reasonText(reason) };
  }
};
