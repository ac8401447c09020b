import { type CommandResult, isCommandDone } from '@device-center/contract';
import i18next from 'i18next';
import { Check, LoaderCircle } from 'lucide-react';
import { type ReactNode, useId } from 'react';
import { useTranslation } from 'react-i18next';
import { explainResponseCode } from './reason-texts.ts';

type Saving = { isPending: boolean; isSuccess: boolean; error: { message: string } | null };

/** Why the device did not apply a setting: it rejected the command or did not respond. Undefined if it succeeded. */
export const commandErrorText = (result: CommandResult | undefined): string | undefined => {
  if (result === undefined || isCommandDone(result)) return undefined;
  return explainResponseCode(result.code, result.message)?.text ?? i18next.t(`deviceDetail:result_${result.status}`);
};

const SaveState = ({ save, commandError }: { save: Saving; commandError: string | undefined }) => {
  const { t } = useTranslation('deviceDetail');
  if (save.isPending)
    return (
      <span className="dc-save-state" role="status">
        <LoaderCircle className="dc-turning" size={14} aria-hidden /> {t('saving')}
      </span>
    );
  const problem = save.error?.message ?? commandError;
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
  commandError?: string | undefined;
  /** Why it cannot be changed now. */
  unavailable?: string | undefined;
  children: (id: string) => ReactNode;
};

/** A setting with its description and the state of saving it. */
export const ConfigField = ({ label, hint, save, commandError, unavailable, children }: ConfigFieldProps) => {
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
          <SaveState save={save} commandError={commandError} />
        ) : (
          <span className="dc-muted dc-small">{unavailable}</span>
        )}
      </div>
    </div>
  );
};
