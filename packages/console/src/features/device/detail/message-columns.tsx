import { CODE_OK, type MessageRow, MessageType, visibleText } from '@device-center/contract';
import i18next from 'i18next';
import { ArrowDown, ArrowUp } from 'lucide-react';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import type { Column } from '../../../ui/data-table.tsx';
import { absoluteText } from '../../../ui/relative-time.tsx';
import { StatusDot } from '../../../ui/status-dot.tsx';
import { explainNumber } from './reason-words.ts';

type TypeId = (typeof MessageType)[keyof typeof MessageType];
const isTypeId = (type: number): type is TypeId => Object.values(MessageType).some((known) => known === type);

export const typeWords = ({ type, response }: Pick<MessageRow, 'type' | 'response'>): string => {
  const word = isTypeId(type) ? i18next.t(`deviceDetail:type_${type}`) : String(type);
  return `${word} · ${i18next.t(response === 1 ? 'deviceDetail:response' : 'deviceDetail:request')}`;
};

/** `*` is several at once (decisions, records). */
export const functionWords = (functionId: string): string =>
  functionId === '*' ? i18next.t('deviceDetail:several') : functionId;

const FlowMark = ({ flow }: { flow: 1 | 2 }) => {
  const { t } = useTranslation('deviceDetail');
  const Icon = flow === 1 ? ArrowUp : ArrowDown;
  return (
    <span className="dc-flow" data-flow={flow}>
      <Icon size={14} aria-hidden />
      {t(`dataFlow_${flow}`)}
    </span>
  );
};

export const MessageCode = ({ message: { code } }: { message: MessageRow }) => {
  if (code === 0) return <span className="dc-muted">—</span>;
  const explained = explainNumber(code, '');
  return (
    <span title={explained?.said}>
      <StatusDot tone={code === CODE_OK ? 'online' : 'failed'}>{code}</StatusDot>
    </span>
  );
};

export const useMessageColumns = (open: (message: MessageRow) => void): Column<MessageRow>[] => {
  const { t } = useTranslation('deviceDetail');
  return useMemo(
    () => [
      {
        key: 'time',
        title: t('time'),
        width: 170,
        always: true,
        mobile: true,
        render: (message) => (
          <button type="button" className="dc-open-button dc-time" onClick={() => open(message)}>
            {absoluteText(message.messageTime)}
            <span className="dc-visually-hidden"> {t('open', { id: message.messageId })}</span>
          </button>
        ),
      },
      {
        key: 'flow',
        title: t('dataFlow'),
        width: 92,
        mobile: true,
        render: ({ dataFlow }) => <FlowMark flow={dataFlow} />,
      },
      { key: 'type', title: t('functionType'), width: 150, render: (message) => typeWords(message) },
      {
        key: 'function',
        title: t('functionId'),
        width: 150,
        mobile: true,
        render: ({ functionId }) => <code className="dc-mono">{functionWords(functionId) || '—'}</code>,
      },
      {
        key: 'content',
        title: t('content'),
        render: ({ value }) => <code className="dc-mono dc-clipped">{visibleText(value)}</code>,
      },
      { key: 'code', title: 'code', width: 90, render: (message) => <MessageCode message={message} /> },
      {
        key: 'messageId',
        title: t('messageId'),
        width: 110,
        render: ({ messageId }) => <code className="dc-mono">{messageId}</code>,
      },
    ],
    [t, open],
  );
};
