import { ExternalLink } from 'lucide-react';
import { type ReactNode, useId } from 'react';
import { useTranslation } from 'react-i18next';
import { useCan } from '../../../../api/session.ts';
import { usePanel } from '../panel-context.ts';
import './fault.css';
import { devicePath } from '../../../../paths.ts';

type FaultProps = {
  title: string;
  /** One sentence: what the platform will do. */
  effect: string;
  /** The tab of the device's page where it is seen too. */
  seenIn: 'connections' | 'functions' | 'messages';
  armed?: boolean;
  children: (labelId: string) => ReactNode;
};

/** One thing that can go wrong, what then happens, and where that is seen. */
export const Fault = ({ title, effect, seenIn, armed = false, children }: FaultProps) => {
  const { t } = useTranslation('mockTabs');
  const id = useId();
  const { details } = usePanel();
  const mayLook = useCan('device:read');
  return (
    <li className="dc-fault" data-armed={armed}>
      <h3 id={id}>
        {title} {armed && <span className="dc-tag">{t('armed')}</span>}
      </h3>
      <div className="dc-fault-control">{children(id)}</div>
      <div className="dc-fault-text">
        <p className="dc-muted dc-small">{effect}</p>
        <p className="dc-muted dc-small">
          {t('seenIn')} {t('seenInLog')}
          {mayLook && (
            <>
              {' · '}
              {/* In a window of its own: leaving this page would end the session that is being watched. */}
              <a href={`${devicePath(details.deviceId)}?tab=${seenIn}`} target="_blank" rel="noreferrer">
                {t(`seenIn_${seenIn}`)} <ExternalLink size={12} aria-hidden />
                <span className="dc-visually-hidden">{t('newWindow')}</span>
              </a>
            </>
          )}
        </p>
      </div>
    </li>
  );
};
