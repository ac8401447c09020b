import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { JsonEditor } from '../../../../model/json-editor.tsx';
import { Button } from '../../../../ui/button.tsx';
import { OutcomeLine } from './outcome-line.tsx';
import { useSendMessage } from './use-send-message.ts';
import { useSender } from './use-sender.ts';

const objectIn = (text: string): Record<string, unknown> | null => {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as Record<string, unknown>)
      : null;
  } catch {
    return null;
  }
};

type RawSendProps = {
  /** Initial properties by sign code. */
  suggestion: Record<string, unknown>;
};

/** Sends properties as typed, without validation, to test how the hub rejects invalid values. */
export const RawSend = ({ suggestion }: RawSendProps) => {
  const { t } = useTranslation('mockTabs');
  const { deviceId, blockedReason } = useSender();
  const { send, outcome, sending } = useSendMessage();
  const [text, setText] = useState(() => JSON.stringify(suggestion, null, 2));
  const value = objectIn(text);
  return (
    <div className="dc-raw-send">
      <p className="dc-muted dc-small">{t('rawHint')}</p>
      <JsonEditor value={text} onChange={setText} label={t('rawLabel')} />
      {value === null && (
        <p className="dc-field-error" role="alert">
          {t('rawWrong')}
        </p>
      )}
      <div className="dc-tab-actions">
        <Button
          disabled={blockedReason !== '' || value === null}
          loading={sending}
          title={blockedReason}
          onClick={() => value && void send([{ deviceId, kind: 'property', name: '', value }])}
        >
          {t('rawSend')}
        </Button>
        <OutcomeLine outcome={outcome} blockedReason={blockedReason} />
      </div>
    </div>
  );
};
