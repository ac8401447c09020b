import type { accountCalls, Output } from '@device-center/contract';
import { useTranslation } from 'react-i18next';
import { absoluteText } from '../../ui/relative-time.tsx';
import { PublicFrame } from './public-frame.tsx';

export type Reveal = Output<typeof accountCalls.login>['reveals'][number];

type RevealedPageProps = { reveals: Reveal[]; onContinue: () => void };

/** Shown once after login, if an administrator has read a code or password that was sent to this account. */
export const RevealedPage = ({ reveals, onContinue }: RevealedPageProps) => {
  const { t } = useTranslation('account');
  return (
    <PublicFrame>
      <div className="dc-public-card">
        <h1>{t('revealedTitle')}</h1>
        <p className="dc-lead">{t('revealedLead')}</p>
        <ul>
          {reveals.map((reveal) => (
            <li key={reveal.time + reveal.subject}>
              {t('revealedBy', { ...reveal, time: absoluteText(reveal.time), interpolation: { escapeValue: false } })}
            </li>
          ))}
        </ul>
        <button type="button" className="dc-button dc-button-block" onClick={onContinue}>
          {t('revealedContinue')}
        </button>
      </div>
    </PublicFrame>
  );
};
