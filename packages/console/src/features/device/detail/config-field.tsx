import { type CommandResult, isCommandDone } from '@device-center/contract';
import i18next from 'i18next';
import { Check, LoaderCircle } from 'lucide-react';
import { type ReactNode, useId } from 'react';
import { useTranslation } from 'react-i18next';
import { explainNumber } from './reason-texts.ts';

type Saving = { isPending: boolean; isSuccess: boolean; error: { message: string } | null };

/** A device may answer no, or not at all; then nothing was changed. */
export const refusalOf = (result: CommandResult | undefined): string | undefined => {
  if (result === undefined || isCommandDone(result)) return undefined;
  return explainNumber(result.code, result.message)?.said ?? i18next.t(`deviceDetail:result_${result.status}`);
};

const SaveState = ({ save, refusal }: { save: Saving; refusal: string | undefined }) => {
  const { t } = useTranslation('deviceDetail');
  if (save.isPending)
    return (
      <span className="dc-save-state" role="status">
        <LoaderCircle className="dc-turning" size={14} aria-hidden /> {t('saving')}
      </span>
    );
  const problem = save.error?.message ?? refusal;
  if (problem !== undefined)
    return (
      <span className="dc-save-state dc-field-error" role="alert">
        {problem}
      </span>
    );
  if (!save.isSuccess) return null;
  return (
    <span className="dc-save-state" data-saved="true" role="status">
      <Check size={14} aria-hidden /> {t('saved')}
    </span>
  );
};

type ConfigFieldProps = {
  label: string;
  hint: string;
  save: Saving;
  refusal?: string | undefined;
  /** Why it cannot be changed now. */
  unavailable?: string | undefined;
  children: (id: string) => ReactNode;
};

/** A setting, what it does, and how saving it went. */
export const ConfigField = ({ label, hint, save, refusal, unavailable, children }: ConfigFieldProps) => {
  const id = useId();
  return (
    <div className="dc-config-field">
      <div>
        <label htmlFor={id}>{label}</label>
        <p className="dc-muted dc-small">{hint}</p>
      </div>
      <div className="dc-config-control">
        {children(id)}
        {unavailable === undefined ? (
          <SaveState save={save} refusal={refusal} />
        ) : (
          <span className="dc-muted dc-small">{unavailable}</span>
        )}
      </div>
    </div>
  );
};
