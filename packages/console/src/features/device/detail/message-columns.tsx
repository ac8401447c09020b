import { CODE_OK, type MessageRow, MessageType, visibleText } from '@device-center/contract';
import i18next from 'i18next';
import { ArrowDown, ArrowUp } from 'lucide-react';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import type { Column } from '../../../ui/data-table.tsx';
import { useMobile } from '../../../ui/media.ts';
import { absoluteText } from '../../../ui/relative-time.tsx';
import { StatusDot } from '../../../ui/status-dot.tsx';
import { functionText, type NameOf } from './function-names.ts';
import { explainResponseCode } from './reason-texts.ts';

type TypeId = (typeof MessageType)[keyof typeof MessageType];
const isTypeId = (type: number): type is TypeId => Object.values(MessageType).some((known) => known === type);

export const messageTypeText = ({ type, response }: Pick<MessageRow, 'type' | 'response'>): string => {
  const text = isTypeId(type) ? i18next.t(`deviceDetail:type_${type}`) : String(type);
  return `${text} · ${i18next.t(response === 1 ? 'deviceDetail:response' : 'deviceDetail:request')}`;
};

const FlowBadge = ({ flow, short = false }: { flow: 1 | 2; short?: boolean }) => {
  const { t } = useTranslation('deviceDetail');
  const Icon = flow === 1 ? ArrowUp : ArrowDown;
  return (
    <span className="dc-flow" data-flow={flow}>
      <Icon size={14} aria-hidden />
      <span className={short ? 'dc-visually-hidden' : ''}>{t(`dataFlow_${flow}`)}</span>
    </span>
  );
};

export const MessageCode = ({ message: { code } }: { message: MessageRow }) => {
  if (code === 0) return <span className="dc-muted">—</span>;
  const explained = explainResponseCode(code, '');
  return (
    <span title={explained?.text}>
      <StatusDot tone={code === CODE_OK ? 'online' : 'failed'}>{code}</StatusDot>
    </span>
  );
};

/** The functions of a message and, on a phone, also its value, which has no column there. */
const Subject = ({ message, nameOf }: { message: MessageRow; nameOf: NameOf }) => {
  const mobile = useMobile();
  const text = functionText(message, nameOf);
  return (
    <div className="dc-message-subject">
      <span title={message.functionId === '*' ? text : message.functionId}>
        {mobile && <FlowBadge flow={message.dataFlow} short />}
        {visibleText(text) || '—'}
      </span>
      {mobile && message.value !== '' && <code className="dc-mono">{visibleText(message.value)}</code>}
    </div>
  );
};

export const useMessageColumns = (open: (message: MessageRow) => void, nameOf: NameOf): Column<MessageRow>[] => {
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
        render: ({ dataFlow }) => <FlowBadge flow={dataFlow} />,
      },
      { key: 'type', title: t('functionType'), width: 150, render: (message) => messageTypeText(message) },
      {
        key: 'function',
        title: t('functionId'),
        width: 180,
        mobile: true,
        render: (message) => <Subject message={message} nameOf={nameOf} />,
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
    [t, open, nameOf],
  );
};
