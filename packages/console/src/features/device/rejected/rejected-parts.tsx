import type { ConnectRow } from '@device-center/contract';
import { useTranslation } from 'react-i18next';
import { absoluteText } from '../../../ui/relative-time.tsx';
import { detailText, explainReason } from '../detail/reason-texts.ts';

/** The protocol's word, what it means and what can be done about it. */
export const Cause = ({ refusal: { reason, detail } }: { refusal: Pick<ConnectRow, 'reason' | 'detail'> }) => {
  const { said, remedy } = explainReason(reason);
  return (
    <div className="dc-refused-cause">
      <span>
        {said} {said !== reason && <code className="dc-mono">{reason}</code>}
      </span>
      {remedy !== '' && <span className="dc-muted dc-small">{remedy}</span>}
      {detail !== '' && <code className="dc-mono">{detailText(detail)}</code>}
    </div>
  );
};

const isPlace = (word: string): word is 'login' | 'connect' | 'message' =>
  word === 'login' || word === 'connect' || word === 'message';

export const Time = ({ time }: { time: string }) => (
  <time className="dc-time" dateTime={time}>
    {absoluteText(time)}
  </time>
);

export const Place = ({ place }: { place: string }) => {
  const { t } = useTranslation('refused');
  return isPlace(place) ? t(`place_${place}`) : place;
};
