import type { ModelDifference } from '@device-center/contract';
import { Modal } from 'antd';
import { useTranslation } from 'react-i18next';
import { Button } from '../ui/button.tsx';
import { ChangeList } from './change-list.tsx';

type ChangeDialogProps = {
  open: boolean;
  title: string;
  difference: ModelDifference | null;
  deviceCount?: number | undefined;
  onClose: () => void;
  /** If omitted, the dialog is read-only. */
  confirm?: { text: string; danger: boolean; busy: boolean; onConfirm: () => void };
};

export const ChangeDialog = ({ open, title, difference, deviceCount, onClose, confirm }: ChangeDialogProps) => {
  const { t } = useTranslation();
  return (
    <Modal
      open={open}
      title={title}
      width={720}
      onCancel={onClose}
      destroyOnHidden
      footer={
        <>
          <Button onClick={onClose}>{confirm ? t('cancel') : t('close')}</Button>
          {confirm && (
            <Button type="primary" danger={confirm.danger} loading={confirm.busy} onClick={confirm.onConfirm}>
              {confirm.text}
            </Button>
          )}
        </>
      }
    >
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scroll container must be focusable by keyboard. */}
      <section className="dc-fn-dialog" aria-label={title} tabIndex={0}>
        {difference && <ChangeList difference={difference} {...(deviceCount === undefined ? {} : { deviceCount })} />}
      </section>
    </Modal>
  );
};
