import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { deviceListPath } from '../../../paths.ts';
import { PageHeader } from '../../../ui/page-header.tsx';
import { UnsavedGuard } from '../../../ui/unsaved-guard.tsx';
import { ModeSwitch } from './mode-switch.tsx';
import { useRegistration } from './registration.ts';
import { RegistrationResult } from './registration-result.tsx';
import { SheetForm } from './sheet-form.tsx';

/** Registers many devices from a file: choose it, review the hub's check, register, save the secrets. */
const RegisterMany = ({ product }: { product: string }) => {
  const { t } = useTranslation('shell');
  const { registration, start, cancel, resume, reset } = useRegistration();
  const [saved, setSaved] = useState(0);
  const running = registration?.state === 'running' || registration?.state === 'cancelling';
  const unsaved = running || (registration !== undefined && registration.registered.length > saved);
  return (
    <div className="dc-register">
      <PageHeader title={t('registerTitle')} backTo={deviceListPath} />
      {!registration && <ModeSwitch />}
      {/* Hidden, not unmounted: a user who starts over finds product and file still chosen. */}
      <div hidden={registration !== undefined}>
        <SheetForm product={product} onStart={start} />
      </div>
      {registration && (
        <RegistrationResult
          registration={registration}
          saved={saved >= registration.registered.length}
          onSaved={() => setSaved(registration.registered.length)}
          onCancel={cancel}
          onResume={resume}
          onAgain={() => {
            setSaved(0);
            reset();
          }}
        />
      )}
      <UnsavedGuard isUnsaved={() => unsaved} />
    </div>
  );
};

export default RegisterMany;
