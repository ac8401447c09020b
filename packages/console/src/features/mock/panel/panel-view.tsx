import type { MockDetails } from '@device-center/contract';
import { type ReactNode, useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useStore } from 'zustand';
import { mockListPath } from '../../../paths.ts';
import { Button } from '../../../ui/button.tsx';
import { DetailPage } from '../../../ui/detail-page.tsx';
import { useOnline } from '../../../ui/media.ts';
import { StatusDot } from '../../../ui/status-dot.tsx';
import { MessageLog } from './message-log.tsx';
import { PanelProvider } from './panel-context.ts';
import { usePanelAddress } from './panel-search.ts';
import type { SessionState } from './panel-session.ts';
import { PanelTabs } from './panel-tabs.tsx';
import { SessionFacts } from './session-facts.tsx';
import { StepStrip } from './step-strip.tsx';
import { useSession } from './use-session.ts';

/** Who runs the device now: this page, the hub, another client or none. */
const RunnerStatus = ({ details, state: { online, running } }: { details: MockDetails; state: SessionState }) => {
  const { t } = useTranslation('mockPanel');
  if (running && !online) return <StatusDot tone="warning">{t('comingOnline')}</StatusDot>;
  if (online) return <StatusDot tone="online">{t('onlineHere')}</StatusDot>;
  if (details.runningInHub === 1) return <StatusDot tone="running">{t('onlineInHub')}</StatusDot>;
  if (details.online === 1) return <StatusDot tone="running">{t('onlineElsewhere')}</StatusDot>;
  return <StatusDot tone="offline">{t('offline')}</StatusDot>;
};

type GoOnlineProps = { wanted: boolean; onWant: (online: boolean) => void };

const GoOnline = ({ wanted, onWant }: GoOnlineProps) => {
  const { t } = useTranslation('mockPanel');
  const connected = useOnline();
  if (wanted) return <Button onClick={() => onWant(false)}>{t('goOffline')}</Button>;
  return (
    <Button
      type="primary"
      disabled={!connected}
      title={connected ? '' : t('browserOffline')}
      onClick={() => onWant(true)}
    >
      {t('goOnline')}
    </Button>
  );
};

const Note = ({ title, text, action }: { title: string; text: string; action?: ReactNode }) => (
  <p className="dc-note dc-panel-note" role="status">
    <span>
      <strong>{title}</strong> {text}
    </span>
    {action}
  </p>
);

type NotesProps = GoOnlineProps & { details: MockDetails; state: SessionState };

/** Notes while another client runs this device: that going online takes it over, or that it was taken over. */
const Notes = ({ details, state: { online, replaced }, wanted, onWant }: NotesProps) => {
  const { t } = useTranslation('mockPanel');
  if (replaced && !wanted)
    return (
      <Note
        title={t('replacedTitle')}
        text={t('replacedText')}
        action={
          <Button size="small" onClick={() => onWant(true)}>
            {t('takeBack')}
          </Button>
        }
      />
    );
  if (details.runningInHub === 1 && !online) return <Note title={t('inHubTitle')} text={t('inHubText')} />;
  return null;
};

const isLoginRejected = ({ progress }: SessionState): boolean => progress.login.kind === 'failed';

type PanelViewProps = { details: MockDetails; refetch: () => unknown };

export const PanelView = ({ details, refetch }: PanelViewProps) => {
  const { t } = useTranslation('mockPanel');
  const { tab, open, wanted, setWanted } = usePanelAddress();
  const { session, messages } = useSession(details, wanted);
  const state = useStore(session.store);
  const [chosen, choose] = useState(details.deviceId);
  const { mock } = session;
  const { online, mounted, pending } = state;

  // A replaced device must not reconnect by itself or after a reload, so clear `start`. Read the current state: a start
  // may just have changed it.
  useEffect(() => {
    if (wanted && session.store.getState().replaced) setWanted(false);
  });
  // After a rejected login or a lost connection the device may have been deleted.
  useEffect(
    () =>
      session.store.subscribe((now, before) => {
        if (now.online !== before.online || (isLoginRejected(now) && !isLoginRejected(before))) refetch();
      }),
    [session, refetch],
  );

  const known = mock.deviceIds.includes(chosen) ? chosen : details.deviceId;
  return (
    <PanelProvider value={{ details, mock, online, mounted, chosen: known, choose, pending }}>
      <div className="dc-mock-panel">
        <DetailPage
          title={details.deviceName}
          id={details.deviceId}
          backTo={mockListPath}
          status={
            <span className="dc-panel-status" role="status">
              <span>{details.productName}</span>
              <RunnerStatus details={details} state={state} />
            </span>
          }
          actions={<GoOnline wanted={wanted} onWant={setWanted} />}
        >
          <Notes details={details} state={state} wanted={wanted} onWant={setWanted} />
          <div className="dc-card dc-panel-session">
            <StepStrip session={session} state={state} />
            <SessionFacts details={details} mock={mock} online={online} />
          </div>
          <div className="dc-panel-columns">
            <section className="dc-panel-forms" aria-label={t('forms')}>
              <PanelTabs tab={tab} onOpen={open} />
            </section>
            <MessageLog messages={messages} />
          </div>
        </DetailPage>
      </div>
    </PanelProvider>
  );
};
