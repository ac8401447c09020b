import { type MessageRow, visibleText } from '@device-center/contract';
import { Drawer } from 'antd';
import { useTranslation } from 'react-i18next';
import { CopyButton, CopyId } from '../../../ui/copy-id.tsx';
import { absoluteText } from '../../../ui/relative-time.tsx';
import { KeyValue } from '../../../ui/states.tsx';
import { functionText, type NameOf } from './function-names.ts';
import { MessageCode, messageTypeText } from './message-columns.tsx';
import { explainResponseCode } from './reason-texts.ts';

const DRAWER_WIDTH = 560;

const parseJson = (text: string): unknown => {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
};

/** Formatted JSON; other text is returned unchanged. */
export const prettyJson = (text: string): string => {
  const value = parseJson(text);
  return value === undefined ? text : JSON.stringify(value, null, 2);
};

/** The payload is text within the envelope, and JSON within that text. */
export const payloadIn = (envelope: string): string => {
  const value = parseJson(envelope);
  if (typeof value !== 'object' || value === null || !('payload' in value)) return '';
  return typeof value.payload === 'string' ? value.payload : '';
};

const JsonPanel = ({ title, text }: { title: string; text: string }) => {
  const { t } = useTranslation('deviceDetail');
  const pretty = prettyJson(text);
  return (
    <section>
      <h2>{title}</h2>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable area must be reachable by keyboard. */}
      <section className="dc-panel" tabIndex={0} aria-label={title}>
        {visibleText(pretty)}
      </section>
      <CopyButton value={pretty}>{t('copyJson')}</CopyButton>
    </section>
  );
};

const MessageDetail = ({ message, nameOf }: { message: MessageRow; nameOf: NameOf }) => {
  const { t } = useTranslation('deviceDetail');
  const explained = explainResponseCode(message.code, '');
  const payload = payloadIn(message.envelope);
  return (
    <div className="dc-message-detail">
      <KeyValue
        items={[
          { label: t('time'), value: <span className="dc-time">{absoluteText(message.messageTime)}</span> },
          {
            label: t('deviceTime'),
            value: message.deviceTime && <span className="dc-time">{absoluteText(message.deviceTime)}</span>,
          },
          { label: t('dataFlow'), value: t(`dataFlow_${message.dataFlow}`) },
          { label: t('functionType'), value: messageTypeText(message) },
          { label: t('functionId'), value: functionText(message, nameOf) },
          { label: 'code', value: <MessageCode message={message} /> },
          ...(explained && explained.text !== ''
            ? [
                { label: t('reason'), value: explained.text },
                { label: t('remedy'), value: explained.remedy },
              ]
            : []),
          { label: t('messageId'), value: <CopyId value={message.messageId} label={t('messageId')} /> },
          {
            label: t('session'),
            value: message.sessionId && <CopyId value={message.sessionId} label={t('session')} />,
          },
        ]}
      />
      {payload !== '' && <JsonPanel title={t('payload')} text={payload} />}
      <JsonPanel title={t('envelope')} text={message.envelope} />
    </div>
  );
};

type MessageDrawerProps = { message: MessageRow | undefined; nameOf: NameOf; onClose: () => void };

export const MessageDrawer = ({ message, nameOf, onClose }: MessageDrawerProps) => {
  const { t } = useTranslation('deviceDetail');
  return (
    <Drawer
      open={message !== undefined}
      onClose={onClose}
      size={DRAWER_WIDTH}
      title={message && t('messageTitle', { id: message.messageId })}
      destroyOnHidden
    >
      {message && <MessageDetail message={message} nameOf={nameOf} />}
    </Drawer>
  );
};
