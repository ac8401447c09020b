import { useTranslation } from 'react-i18next';
import { ShownOnceDialog } from '../../ui/shown-once-dialog.tsx';

export type OneTimePassword = { username: string; password: string };

type OneTimePasswordDialogProps = OneTimePassword & { title: string; onStored: () => void };

/** A password that is not mailed, for the operator to hand over. */
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
