import { Input, Modal } from 'antd';
import { type ReactNode, useEffect, useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from './button.tsx';

type ConfirmDeleteProps = {
  open: boolean;
  title: string;
  text: ReactNode;
  /** Text that must be typed to enable the button, for deletions that include other data. */
  typed?: string;
  /** Disables the button while an input in the text is invalid. */
  blocked?: boolean;
  /** A rejected promise is shown as the hub's error. */
  onConfirm: () => Promise<unknown>;
  onClose: () => void;
  /** A known reason why the deletion is not possible, shown without calling the hub. */
  blockedReason?: ReactNode;
  okText?: string;
  /** Replaces "Cancel", which is ambiguous if the dialog confirms a cancellation. */
  keepText?: string;
};

/** Confirmation dialog. Stays open until the hub has responded; an error replaces the text. */
export const ConfirmDelete = ({
  open,
  title,
  text,
  typed,
  blocked = false,
  onConfirm,
  onClose,
  blockedReason,
  okText,
  keepText,
}: ConfirmDeleteProps) => {
  const { t } = useTranslation();
  const [entered, setEntered] = useState('');
  const [busy, setBusy] = useState(false);
  const [errorMessage, setErrorMessage] = useState<string>();
  const inputId = useId();
  useEffect(() => {
    if (!open) return;
    setEntered('');
    setErrorMessage(undefined);
  }, [open]);
  const confirm = async () => {
    setBusy(true);
    try {
      await onConfirm();
    } catch (error) {
      setErrorMessage(error instanceof Error ? error.message : String(error));
    } finally {
      setBusy(false);
    }
  };
  const reason = blockedReason ?? errorMessage;
  const isBlocked = reason !== undefined;
  return (
    <Modal
      open={open}
      title={title}
      onCancel={onClose}
      width={440}
      footer={
        <>
          <Button onClick={onClose}>{isBlocked ? t('close') : (keepText ?? t('cancel'))}</Button>
          {!isBlocked && (
            <Button
              danger
              type="primary"
              loading={busy}
              disabled={blocked || (typed !== undefined && entered !== typed)}
              onClick={() => void confirm()}
            >
              {okText ?? t('delete')}
            </Button>
          )}
        </>
      }
    >
      {isBlocked ? <div role="alert">{reason}</div> : text}
      {!isBlocked && typed !== undefined && (
        <p className="dc-typed">
          <label htmlFor={inputId}>{t('typeToConfirm', { name: typed })}</label>
          <Input id={inputId} value={entered} onChange={(event) => setEntered(event.target.value)} autoComplete="off" />
        </p>
      )}
    </Modal>
  );
};
