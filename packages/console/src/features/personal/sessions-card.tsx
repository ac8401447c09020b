import { type Output, personalCalls } from '@device-center/contract';
import { App, Tooltip } from 'antd';
import { CircleHelp, Monitor, Smartphone, Tablet } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { announceSuccess } from '../../api/feedback.ts';
import { useCall, useCallMutation } from '../../api/use-call.ts';
import { Button } from '../../ui/button.tsx';
import { Loaded } from '../../ui/detail-page.tsx';
import { RelativeTime } from '../../ui/relative-time.tsx';
import { parseUserAgent } from './user-agent.ts';

type Sessions = Output<typeof personalCalls.getSessions>;
type Session = Sessions[number];

const icons = { desktop: Monitor, phone: Smartphone, tablet: Tablet, unknown: CircleHelp } as const;

const useDeviceText = () => {
  const { t } = useTranslation('personal');
  return (userAgent: string): string => {
    const { browser, system } = parseUserAgent(userAgent);
    if (browser === '' && system === '') return t('unknownDevice');
    if (system === '') return browser;
    return t('deviceOn', { browser: browser || t('unknownBrowser'), system });
  };
};

const SessionRow = ({ session }: { session: Session }) => {
  const { t } = useTranslation('personal');
  const end = useCallMutation(personalCalls.endSession, { onSuccess: () => announceSuccess(t('sessionEnded')) });
  const Icon = icons[parseUserAgent(session.userAgent).kind];
  const device = useDeviceText()(session.userAgent);
  return (
    <li>
      <span className="dc-person-icon" aria-hidden="true">
        <Icon size={17} />
      </span>
      <div>
        <p>
          <Tooltip title={session.userAgent}>
            <strong>{device}</strong>
          </Tooltip>{' '}
          {session.current === 1 && <span className="dc-tag">{t('sessionCurrent')}</span>}
        </p>
        <p className="dc-muted dc-person-facts">
          <code className="dc-mono">{session.ip}</code>
          <span>
            {t('sessionUsed')} <RelativeTime value={session.lastUsedTime} />
          </span>
          <span>
            {t('sessionSince')} <RelativeTime value={session.createTime} />
          </span>
        </p>
      </div>
      {session.current === 0 && (
        <Button
          size="small"
          loading={end.isPending}
          aria-label={t('sessionEndOf', { device, ip: session.ip })}
          onClick={() => end.mutate({ sessionId: session.sessionId })}
        >
          {t('sessionEnd')}
        </Button>
      )}
    </li>
  );
};

const EndOthers = ({ count }: { count: number }) => {
  const { t } = useTranslation(['personal', 'common']);
  const { modal } = App.useApp();
  const end = useCallMutation(personalCalls.endOtherSessions, {
    onSuccess: ({ ended }) => announceSuccess(t('personal:endedOthers', { count: ended })),
  });
  const confirmEnd = () =>
    void modal.confirm({
      title: t('personal:endOthersTitle'),
      content: t('personal:endOthersText', { count }),
      okText: t('personal:endOthers'),
      cancelText: t('common:cancel'),
      okButtonProps: { danger: true },
      onOk: () => end.mutateAsync({}).catch(() => undefined),
    });
  return (
    <Button size="small" danger onClick={confirmEnd}>
      {t('personal:endOthers')}
    </Button>
  );
};

/** The current session first, then the most recently used. */
const sortSessions = (sessions: Sessions): Sessions =>
  sessions.toSorted((a, b) => b.current - a.current || b.lastUsedTime.localeCompare(a.lastUsedTime));

export const SessionsCard = () => {
  const { t } = useTranslation('personal');
  const query = useCall(personalCalls.getSessions, {});
  const others = query.data?.filter(({ current }) => current === 0).length ?? 0;
  return (
    <section className="dc-card dc-person-card" aria-labelledby="person-sessions">
      <div className="dc-person-head">
        <h2 id="person-sessions">{t('sessions')}</h2>
        {others > 0 && <EndOthers count={others} />}
      </div>
      <p className="dc-muted">{t('sessionsText')}</p>
      <Loaded<Sessions> query={query}>
        {(sessions) => (
          <ul className="dc-person-rows">
            {sortSessions(sessions).map((session) => (
              <SessionRow key={session.sessionId} session={session} />
            ))}
          </ul>
        )}
      </Loaded>
    </section>
  );
};
