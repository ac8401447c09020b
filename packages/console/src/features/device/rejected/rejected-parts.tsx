import type { ConnectRow } from '@device-center/contract';
import { useTranslation } from 'react-i18next';
import { absoluteText } from '../../../ui/relative-time.tsx';
import { detailText, explainReason } from '../detail/reason-texts.ts';

/** The code name of the protocol, its meaning and the remedy. */
export const Cause = ({ rejection: { reason, detail } }: { rejection: Pick<ConnectRow, 'reason' | 'detail'> }) => {
  const { text, remedy } = explainReason(reason);
  return (
    <div className="dc-rejected-cause">
      <span>
        {text} {text !== reason && <code className="dc-mono">{reason}</code>}
      </span>
      {remedy !== '' && <span className="dc-muted dc-small">{remedy}</span>}
      {detail !== '' && <code className="dc-mono">{detailText(detail)}</code>}
    </div>
  );
};

const isPhase = (name: string): name is 'login' | 'connect' | 'message' =>
  name === 'login' || name === 'connect' || name === 'message';

export const Time = ({ time }: { time: string }) => (
  <time className="dc-time" dateTime={time}>
    {absoluteText(time)}
  </time>
);

export const Phase = ({ place }: { place: string }) => {
  const { t } = useTranslation('rejected');
  return isPhase(place) ? t(`place_${place}`) : place;
};
