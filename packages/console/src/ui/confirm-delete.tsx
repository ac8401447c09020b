import { Button, Input, Modal } from 'antd';
import { type ReactNode, useEffect, useId, useState } from 'react';
import { useTranslation } from 'react-i18next';

type ConfirmDeleteProps = {
  open: boolean;
  title: string;
  text: ReactNode;
  /** The name that must be typed before the button wakes, for what takes other things with it. */
  typed?: string;
  onConfirm: () => Promise<unknown>;
  onClose: () => void;
  /** What to show when the hub refuses: usually its reason, and links to what stands in the way. */
  refusal?: ReactNode;
  okText?: string;
};

/** Stays open until the hub has answered; a refusal is shown in place of the question. */
export const ConfirmDelete = ({
  open,
  title,
  text,
  typed,
  onConfirm,
  onClose,
  refusal,
  okText,
}: ConfirmDeleteProps) => {
  const { t } = useTranslation();
  const [entered, setEntered] = useState('');
  const [busy, setBusy] = useState(false);
  const inputId = useId();
  useEffect(() => {
    if (open) setEntered('');
  }, [open]);
  const confirm = async () => {
    setBusy(true);
    try {
      await onConfirm();
    } catch {
      // The toast has told it, and the page passes the refusal.
    } finally {
      setBusy(false);
    }
  };
  const refused = refusal !== undefined && refusal !== null;
  return (
    <Modal
      open={open}
      title={title}
      onCancel={onClose}
      width={440}
      footer={
        <>
          <Button onClick={onClose}>{refused ? t('close') : t('cancel')}</Button>
          {!refused && (
            <Button
              danger
              type="primary"
              loading={busy}
              disabled={typed !== undefined && entered !== typed}
              onClick={() => void confirm()}
            >
              {okText ?? t('delete')}
            </Button>
          )}
        </>
      }
    >
      {refused ? <div role="alert">{refusal}</div> : text}
      {!refused && typed !== undefined && (
        <p className="dc-typed">
          <label htmlFor={inputId}>{t('typeToConfirm', { name: typed })}</label>
          <Input id={inputId} value={entered} onChange={(event) => setEntered(event.target.value)} autoComplete="off" />
        </p>
      )}
    </Modal>
  );
};
