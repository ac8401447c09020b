import { Input, Modal } from 'antd';
import { type ReactNode, useEffect, useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from './button.tsx';

type ConfirmDeleteProps = {
  open: boolean;
  title: string;
  text: ReactNode;
  /** The name that must be typed before the button wakes, for what takes other things with it. */
  typed?: string;
  /** What stands in the question is not valid yet. */
  blocked?: boolean;
  /** A rejection is the hub's refusal. */
  onConfirm: () => Promise<unknown>;
  onClose: () => void;
  /** Known without asking the hub: what stands in the way, with links to it. */
  refusal?: ReactNode;
  okText?: string;
  /** Where the question itself is about cancelling, "cancel" would say both. */
  keepText?: string;
};

/** Stays open until the hub has answered; a refusal is shown in place of the question. */
export const ConfirmDelete = ({
  open,
  title,
  text,
  typed,
  blocked = false,
  onConfirm,
  onClose,
  refusal,
  okText,
  keepText,
}: ConfirmDeleteProps) => {
  const { t } = useTranslation();
  const [entered, setEntered] = useState('');
  const [busy, setBusy] = useState(false);
  const [refused, setRefused] = useState<string>();
  const inputId = useId();
  useEffect(() => {
    if (!open) return;
    setEntered('');
    setRefused(undefined);
  }, [open]);
  const confirm = async () => {
    setBusy(true);
    try {
      await onConfirm();
    } catch (error) {
      setRefused(error instanceof Error ? error.message : String(error));
    } finally {
      setBusy(false);
    }
  };
  const reason = refusal ?? refused;
  const isRefused = reason !== undefined;
  return (
    <Modal
      open={open}
      title={title}
      onCancel={onClose}
      width={440}
      footer={
        <>
          <Button onClick={onClose}>{isRefused ? t('close') : (keepText ?? t('cancel'))}</Button>
          {!isRefused && (
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
      {isRefused ? <div role="alert">{reason}</div> : text}
      {!isRefused && typed !== undefined && (
        <p className="dc-typed">
          <label htmlFor={inputId}>{t('typeToConfirm', { name: typed })}</label>
          <Input id={inputId} value={entered} onChange={(event) => setEntered(event.target.value)} autoComplete="off" />
        </p>
      )}
    </Modal>
  );
};
