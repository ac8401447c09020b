import { ExternalLink } from 'lucide-react';
import { type ReactNode, useId } from 'react';
import { useTranslation } from 'react-i18next';
import { useCan } from '../../../../api/session.ts';
import { usePanel } from '../panel-context.ts';
import './fault.css';
import { devicePath } from '../../../../paths.ts';

type FaultProps = {
  title: string;
  /** One sentence about the reaction of the platform. */
  effect: string;
  /** The tab of the device page that also shows the effect. */
  seenIn: 'connections' | 'functions' | 'messages';
  armed?: boolean;
  children: (labelId: string) => ReactNode;
};

/** A fault that can be injected, its effect, and where the effect is visible. */
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
              {/* Opens a new window, because leaving this page would end the session. */}
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
