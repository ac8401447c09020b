import type { Detail, ModelChange } from '@device-center/contract';
import { ArrowRight } from 'lucide-react';
import { memo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { breakReasonText, pathTexts, valueText } from './change-texts.ts';
import { functionTypeText } from './function-texts.ts';

const SHOWN_DETAILS = 6;
const kindKeys = { added: 'changeAdded', removed: 'changeRemoved', changed: 'changeChanged' } as const;

const Values = ({ detail }: { detail: Detail }) => {
  const { t } = useTranslation('model');
  const key = detail.path.at(-1) ?? '';
  const [before, after] = [valueText(key, detail.before), valueText(key, detail.after)];
  const whole = (value: unknown) => typeof value === 'object' && value !== null && 'identifier' in value;
  if (whole(detail.after)) return <ins>{t('paramAdded', { after })}</ins>;
  if (whole(detail.before)) return <del>{t('paramRemoved', { before })}</del>;
  return (
    <>
      <del>{before}</del>
      <ArrowRight size={13} aria-label={t('becomes')} role="img" />
      <ins>{after}</ins>
    </>
  );
};

const DetailLine = ({ detail }: { detail: Detail }) => (
  <li data-breaks={detail.breaks !== null}>
    <span className="dc-change-place">{pathTexts(detail).join(' › ')}</span>
    <span className="dc-change-values">
      <Values detail={detail} />
    </span>
    {detail.breaks !== null && <b className="dc-change-reason">{breakReasonText(detail.breaks)}</b>}
  </li>
);

const Details = ({ details, folded }: { details: Detail[]; folded: boolean }) => {
  const { t } = useTranslation('model');
  const [open, setOpen] = useState(!folded);
  const [all, setAll] = useState(details.length <= SHOWN_DETAILS);
  if (!open)
    return (
      <button type="button" className="dc-change-more" onClick={() => setOpen(true)}>
        {t('showDetails', { count: details.length })}
      </button>
    );
  const shown = all ? details : details.slice(0, SHOWN_DETAILS);
  return (
    <>
      <ul className="dc-change-details">
        {shown.map((detail) => (
          <DetailLine key={detail.path.join('.')} detail={detail} />
        ))}
      </ul>
      {!all && (
        <button type="button" className="dc-change-more" onClick={() => setAll(true)}>
          {t('showMore', { count: details.length - SHOWN_DETAILS })}
        </button>
      )}
    </>
  );
};

type ChangeItemProps = { change: ModelChange; folded: boolean };

export const ChangeItem = memo(({ change, folded }: ChangeItemProps) => {
  const { t } = useTranslation('model');
  return (
    <li className="dc-change" data-kind={change.kind} data-breaking={change.breaking}>
      <p>
        <span className="dc-change-kind">{t(kindKeys[change.kind])}</span>
        <strong>{change.functionName}</strong>
        <code className="dc-mono">{change.signCode}</code>
        <span className="dc-tag">{functionTypeText(change.functionType)}</span>
        {change.breaking && (
          <b className="dc-change-reason">
            {change.kind === 'removed' ? `${t('breaks')}: ${breakReasonText('removed')}` : t('breaks')}
          </b>
        )}
      </p>
      {change.details.length > 0 && <Details details={change.details} folded={folded} />}
    </li>
  );
});
