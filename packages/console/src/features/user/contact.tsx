import { useTranslation } from 'react-i18next';
import { CopyId } from '../../ui/copy-id.tsx';
import { maskEmail, maskPhone } from './mask.ts';

/** Shown masked, copied in full. */
export const Phone = ({ value }: { value: string }) => {
  const { t } = useTranslation('user');
  return value === '' ? <Missing /> : <CopyId value={value} masked={maskPhone(value)} label={t('phone')} />;
};

export const Email = ({ value }: { value: string }) => {
  const { t } = useTranslation('user');
  return value === '' ? <Missing /> : <CopyId value={value} masked={maskEmail(value)} label={t('email')} />;
};

const Missing = () => <span className="dc-muted">—</span>;
