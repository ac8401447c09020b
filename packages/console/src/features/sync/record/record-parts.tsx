import { SYNC_TRIES_KEPT, type SyncRecordDetails } from '@device-center/contract';
import { useTranslation } from 'react-i18next';
import { CopyButton } from '../../../ui/copy-id.tsx';
import { absoluteText, RelativeTime } from '../../../ui/relative-time.tsx';
import { StatusDot } from '../../../ui/status-dot.tsx';
import { ChangeTag, EffectList } from '../send/effect-list.tsx';

type RecordProps = { record: SyncRecordDetails };

/** Effect of the record on the other platform, and the differences. */
export const EffectCard = ({ record: { effect, presentProblem } }: RecordProps) => {
  const { t } = useTranslation('sync');
  return (
    <section className="dc-card dc-padded dc-sync-effect" aria-label={t('effect')}>
      <h2>{t('effect')}</h2>
      {effect ? (
        <>
          <p>
            <ChangeTag change={effect.change} />
            <span>{t(`effect_${effect.change}`)}</span>
            {effect.reason !== '' && <strong>{effect.reason}</strong>}
          </p>
          <EffectList effect={effect} />
        </>
      ) : (
        <p>
          <StatusDot tone="failed">{t('presentUnknown')}</StatusDot>
          {presentProblem !== '' && <span>{presentProblem}</span>}
        </p>
      )}
    </section>
  );
};

const Json = ({ title, content }: { title: string; content: unknown }) => {
  const { t } = useTranslation('sync');
  const text = JSON.stringify(content, null, 2);
  return (
    <>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scroll container must be focusable by keyboard. */}
      <section className="dc-panel" tabIndex={0} aria-label={title}>
        {text}
      </section>
      <CopyButton value={text}>{t('copyJson')}</CopyButton>
    </>
  );
};

/** The sent data beside the data on the other platform. */
export const SentAndPresent = ({ record: { sent, present, presentKnown, presentProblem, effect } }: RecordProps) => {
  const { t } = useTranslation('sync');
  const absent = () => {
    if (presentKnown === 0) return presentProblem || t('presentUnknown');
    return t(effect?.change === 'created' ? 'presentNone' : 'presentUnavailable');
  };
  return (
    <div className="dc-sync-sides">
      <section className="dc-card dc-padded">
        <h2>{t('sent')}</h2>
        <Json title={t('sent')} content={sent} />
      </section>
      <section className="dc-card dc-padded">
        <h2>{t('present')}</h2>
        {present === null || present === undefined ? (
          <p className="dc-muted">{absent()}</p>
        ) : (
          <Json title={t('present')} content={present} />
        )}
      </section>
    </div>
  );
};

/** Attempts with time, node and result, newest first. */
export const Attempts = ({ record: { tries } }: RecordProps) => {
  const { t } = useTranslation('sync');
  return (
    <section className="dc-card dc-padded dc-sync-tries" aria-label={t('attemptHistory')}>
      <h2>{t('attemptHistory')}</h2>
      {tries.length === 0 ? (
        <p className="dc-muted">{t('noAttempts')}</p>
      ) : (
        <>
          <ol>
            {tries.map(({ time, ok, node, reason }, place) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: two attempts may have the same time and node.
              <li key={`${time} ${node} ${place}`}>
                <time className="dc-time" dateTime={time}>
                  {absoluteText(time)}
                </time>
                <span className="dc-muted">
                  <RelativeTime value={time} />
                </span>
                <StatusDot tone={ok === 1 ? 'online' : 'failed'}>
                  {t(ok === 1 ? 'attemptSucceeded' : 'attemptFailed')}
                </StatusDot>
                {node !== '' && <code className="dc-mono">{node}</code>}
                {reason !== '' && <p>{reason}</p>}
              </li>
            ))}
          </ol>
          {tries.length === SYNC_TRIES_KEPT && (
            <p className="dc-muted dc-small">{t('attemptHistoryLimit', { count: SYNC_TRIES_KEPT })}</p>
          )}
        </>
      )}
    </section>
  );
};
