import { visibleText } from '@device-center/contract';
import { Drawer } from 'antd';
import dayjs from 'dayjs';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { CopyButton, CopyId } from '../../../ui/copy-id.tsx';
import type { Fact } from '../../../ui/fact-list.tsx';
import { KeyValue } from '../../../ui/states.tsx';
import { explainCode } from './failure-texts.ts';
import type { Entry } from './message-entry.ts';
import { reasonOf, wordsOf } from './message-texts.ts';
import { usePanel } from './panel-context.ts';

const DRAWER_WIDTH = 560;

/** Formats JSON; returns other text unchanged. */
const prettyJson = (text: string): string => {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
};

const Panel = ({ title, text, copy }: { title: string; text: string; copy: string }) => (
  <section>
    <h2>{title}</h2>
    {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scroll container must be focusable by keyboard. */}
    <section className="dc-panel" tabIndex={0} aria-label={title}>
      {text}
    </section>
    <CopyButton value={text}>{copy}</CopyButton>
  </section>
);

/** The reason of an error response, and its remedy. */
const useReason = (entry: Entry): Fact[] => {
  const { t } = useTranslation('deviceDetail');
  const reason = reasonOf(entry);
  const remedy = entry.error ? explainCode(entry.error.code, '').remedy : '';
  return [
    ...(reason === '' ? [] : [{ label: t('reason'), value: reason }]),
    ...(remedy === '' ? [] : [{ label: t('remedy'), value: remedy }]),
  ];
};

const MessageDetail = ({ entry }: { entry: Entry }) => {
  const { t } = useTranslation(['mockPanel', 'deviceDetail']);
  const { details } = usePanel();
  const words = useMemo(() => wordsOf(details), [details]);
  const { at, envelope } = entry;
  const functions = words.functions(entry).map(({ name, code }) => `${name} ${code}`.trim());
  const reason = useReason(entry);
  return (
    <div className="dc-message-detail">
      <KeyValue
        items={[
          {
            label: t('deviceDetail:time'),
            value: <span className="dc-time">{dayjs(at).format('YYYY-MM-DD HH:mm:ss.SSS')}</span>,
          },
          { label: t('mockPanel:direction'), value: `${words.direction(entry)} · ${words.flow(entry)}` },
          {
            label: t('mockPanel:device'),
            value: (
              <>
                {words.device(envelope.deviceId)} <CopyId value={envelope.deviceId} label={t('mockPanel:device')} />
              </>
            ),
          },
          { label: t('mockPanel:functionType'), value: words.kind(entry) },
          { label: t('deviceDetail:function'), value: functions.join(', ') },
          { label: 'code', value: String(envelope.code ?? '') },
          ...reason,
          {
            label: t('deviceDetail:messageId'),
            value: <CopyId value={envelope.dataId} label={t('deviceDetail:messageId')} />,
          },
          { label: t('mockPanel:size'), value: `${envelope.length} B` },
        ]}
      />
      <Panel title="payload" text={visibleText(prettyJson(envelope.payload))} copy={t('mockPanel:copyPayload')} />
      <Panel
        title={t('mockPanel:envelope')}
        text={visibleText(JSON.stringify(envelope, null, 2))}
        copy={t('mockPanel:copyEnvelope')}
      />
    </div>
  );
};

type MessageDrawerProps = { entry: Entry | undefined; onClose: () => void };

/** Shows a whole message as it was transmitted. */
export const MessageDrawer = ({ entry, onClose }: MessageDrawerProps) => {
  const { t } = useTranslation('deviceDetail');
  return (
    <Drawer
      open={entry !== undefined}
      onClose={onClose}
      size={DRAWER_WIDTH}
      title={entry && t('messageTitle', { id: entry.envelope.dataId })}
      destroyOnHidden
    >
      {entry && <MessageDetail entry={entry} />}
    </Drawer>
  );
};
