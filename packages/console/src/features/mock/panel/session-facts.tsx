import type { MockDetails } from '@device-center/contract';
import { DeviceError, type Mock } from '@device-center/virtual-device';
import { App } from 'antd';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from '../../../ui/button.tsx';
import { CopyId } from '../../../ui/copy-id.tsx';
import { type Fact, FactList } from '../../../ui/fact-list.tsx';
import { explainFailure } from './failure-texts.ts';
import type { Failure } from './step-progress.ts';
import { durationText, useCurrentTime } from './use-current-time.ts';

const NONE = '—';

const failureOf = (error: unknown): Failure => {
  if (error instanceof DeviceError) return { code: error.code, word: error.word, message: error.message };
  return { message: error instanceof Error ? error.message : String(error) };
};

/** Button that replaces the token without a new session. */
const RefreshToken = ({ mock, online }: { mock: Mock; online: boolean }) => {
  const { t } = useTranslation('mockPanel');
  const { message } = App.useApp();
  const [busy, setBusy] = useState(false);
  const refresh = async () => {
    setBusy(true);
    try {
      await mock.device.refresh();
      void message.success(t('refreshed'));
    } catch (error) {
      const { code, summary } = explainFailure(failureOf(error));
      void message.error([code, summary].filter((part) => part !== '').join(' '));
    } finally {
      setBusy(false);
    }
  };
  return (
    <Button
      size="small"
      loading={busy}
      disabled={!online}
      title={online ? '' : t('notOnlineHere')}
      onClick={() => void refresh()}
    >
      {t('refresh')}
    </Button>
  );
};

type SessionFactsProps = { details: MockDetails; mock: Mock; online: boolean };

/** Protocol data of the session, and the constants of a mock device (spec §9). */
export const SessionFacts = ({ details, mock, online }: SessionFactsProps) => {
  const { t } = useTranslation('mockPanel');
  const now = useCurrentTime();
  const { session, pending } = mock.device;
  const { tenantId, version, signMethod, firstDataId } = details;
  const topics = session?.topics;
  const copyable = (label: string, value: string | undefined): Fact => ({
    label,
    value: value === undefined ? NONE : <CopyId value={value} label={label} />,
  });
  const facts: Fact[] = [
    copyable(t('sessionId'), session?.sessionId),
    {
      label: t('tokenLeft'),
      value: (
        <span className="dc-fact-token dc-number">
          {session ? durationText(session.expiresAt - now) : NONE}
          <RefreshToken mock={mock} online={online} />
        </span>
      ),
    },
    copyable(t('nextNumber'), String(session?.nextDataId ?? firstDataId)),
    { label: t('waiting'), value: <span className="dc-number">{pending}</span> },
    copyable('tenantId', tenantId),
    copyable('version', version),
    copyable('signMethod', signMethod),
    { label: t('transport'), value: t('overWebSocket') },
    copyable(t('topicUp'), topics?.up),
    copyable(t('topicDown'), topics?.down),
  ];
  return <FactList className="dc-session-facts" facts={facts} />;
};
