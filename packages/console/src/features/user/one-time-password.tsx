import { useTranslation } from 'react-i18next';
import { ShownOnceDialog } from '../../ui/shown-once-dialog.tsx';

export type OneTimePassword = { username: string; password: string };

type OneTimePasswordDialogProps = OneTimePassword & { title: string; onStored: () => void };

/** Shows a password that was not mailed, so that the operator can pass it on. */
export const OneTimePasswordDialog = ({ title, username, password, onStored }: OneTimePasswordDialogProps) => {
  const { t } = useTranslation('user');
  return (
    <ShownOnceDialog
      title={title}
      lines={[
        { label: t('username'), value: username, copy: t('copyUsername') },
        { label: t('oneTimePassword'), value: password, copy: t('copyPassword') },
      ]}
      warning={t('passwordNotMailed')}
      okText={t('passwordStored')}
      onStored={onStored}
    />
  );
};
