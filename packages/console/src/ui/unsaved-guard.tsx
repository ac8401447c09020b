import { useBlocker } from '@tanstack/react-router';
import { Modal } from 'antd';
import { useTranslation } from 'react-i18next';
import { Button } from './button.tsx';

/** Spec §4: leaving a page with unsaved changes needs confirmation; the browser asks when the tab is closed. */
export const UnsavedGuard = ({ isUnsaved }: { isUnsaved: () => boolean }) => {
  const { t } = useTranslation();
  const { status, proceed, reset } = useBlocker({
    shouldBlockFn: ({ current, next }) => current.pathname !== next.pathname && isUnsaved(),
    enableBeforeUnload: isUnsaved,
    withResolver: true,
  });
  return (
    <Modal
      open={status === 'blocked'}
      title={t('unsavedTitle')}
      width={420}
      onCancel={() => reset?.()}
      footer={
        <>
          <Button onClick={() => reset?.()}>{t('stay')}</Button>
          <Button danger type="primary" needsHub={false} onClick={() => proceed?.()}>
            {t('leave')}
          </Button>
        </>
      }
    >
      {t('unsavedText')}
    </Modal>
  );
};
