import type { ModelDifference } from '@device-center/contract';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from '../ui/button.tsx';
import { ConfirmDelete } from '../ui/confirm-delete.tsx';
import { useOnline } from '../ui/media.ts';
import { ChangeDialog } from './change-dialog.tsx';
import { countChanges } from './change-list.tsx';

type SaveBarProps = {
  difference: ModelDifference;
  busy: boolean;
  problem: string | null;
  onSave: () => void;
  onDiscard: () => void;
};

/** Sticky bar at the bottom, shown while there are unsaved changes. */
export const SaveBar = ({ difference, busy, problem, onSave, onDiscard }: SaveBarProps) => {
  const { t } = useTranslation(['model', 'common']);
  const online = useOnline();
  const [confirming, setConfirming] = useState(false);
  const [reviewing, setReviewing] = useState(false);
  const { changes, reordered } = difference;
  const order = t(reordered ? 'model:unsavedOrder' : 'model:unsavedText');
  const changed = t('model:unsaved', countChanges(difference)) + (reordered ? t('model:andOrder') : '');
  const summary = changes.length === 0 ? order : changed;
  return (
    <section className="dc-fn-save" aria-label={t('common:save')}>
      <div>
        <p role="status">{summary}</p>
        {problem !== null && (
          <p role="alert" className="dc-form-errors">
            {problem}
          </p>
        )}
      </div>
      <Button onClick={() => setConfirming(true)}>{t('model:discard')}</Button>
      <Button onClick={() => setReviewing(true)}>{t('model:review')}</Button>
      <Button type="primary" loading={busy} disabled={!online} onClick={onSave}>
        {t('common:save')}
      </Button>
      <ConfirmDelete
        open={confirming}
        title={t('model:discardTitle')}
        text={t('model:discardText')}
        okText={t('model:discard')}
        onClose={() => setConfirming(false)}
        onConfirm={async () => {
          setConfirming(false);
          onDiscard();
        }}
      />
      <ChangeDialog
        open={reviewing}
        title={t('model:reviewTitle')}
        difference={difference}
        onClose={() => setReviewing(false)}
      />
    </section>
  );
};
