import {
  CERTIFICATE_MAX_BYTES,
  type CertificateInfo,
  certificateExtensions,
  type ErrorCode,
  errorText,
} from '@device-center/contract';
import { Form } from 'antd';
import { FileKey2 } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { currentLanguage, languageTag } from '../../../i18n/language.ts';
import { Button } from '../../../ui/button.tsx';
import { Field } from '../../../ui/field.tsx';
import { FileZone } from '../../../ui/file-zone.tsx';
import { PasswordInput } from '../../../ui/password-input.tsx';
import { CertificateCard } from '../certificate-card.tsx';
import { mayHavePassword, nodeRules, type ZoneValues } from './zone-values.ts';

const ACCEPT = certificateExtensions.map((extension) => `.${extension}`).join(',');
const KILOBYTE = 1024;

const sizeText = (bytes: number): string =>
  new Intl.NumberFormat(languageTag(), { style: 'unit', unit: 'kilobyte', maximumFractionDigits: 1 }).format(
    bytes / KILOBYTE,
  );

/** The error that the hub would return for the file, checked before the upload. */
const fileErrorOf = ({ name, size }: File): ErrorCode | undefined => {
  const extension = name.slice(name.lastIndexOf('.') + 1).toLowerCase();
  if (!certificateExtensions.some((allowed) => allowed === extension)) return 'CERTIFICATE_TYPE';
  return size > CERTIFICATE_MAX_BYTES ? 'CERTIFICATE_TOO_LARGE' : undefined;
};

const validateFile = async (_rule: unknown, file: File | null | undefined) => {
  const code = file ? fileErrorOf(file) : undefined;
  if (code) throw new Error(errorText(code, currentLanguage()));
};

type PickerProps = {
  id?: string;
  value?: File | null;
  onChange?: (file: File | null) => void;
  stored: CertificateInfo | null;
  removed: boolean;
  onRemove: (removed: boolean) => void;
};

const Picker = ({ id, value = null, onChange, stored, removed, onRemove }: PickerProps) => {
  const { t } = useTranslation(['zoneForm', 'common']);
  return (
    // The form focuses this element if the file is invalid.
    <section id={id} className="dc-certificate-field" aria-label={t('zoneForm:certificate')} tabIndex={-1}>
      {stored && !value && !removed && <CertificateCard certificate={stored} />}
      {stored && !value && (
        <p className="dc-stored-secret">
          {removed && t('zoneForm:certificateRemoved')}
          <Button size="small" danger={!removed} onClick={() => onRemove(!removed)}>
            {t(removed ? 'zoneForm:secretKeep' : 'zoneForm:certificateRemove')}
          </Button>
        </p>
      )}
      {value ? (
        <p className="dc-stored-secret">
          <FileKey2 size={16} aria-hidden />
          <span>{t('zoneForm:certificateChosen', { name: value.name, size: sizeText(value.size) })}</span>
          <Button size="small" onClick={() => onChange?.(null)}>
            {t('zoneForm:certificateDiscard')}
          </Button>
        </p>
      ) : (
        <FileZone
          text={t(stored && !removed ? 'zoneForm:certificateReplace' : 'zoneForm:certificateDrop')}
          button={t('zoneForm:certificateChoose')}
          accept={ACCEPT}
          note={t('zoneForm:certificateNote', {
            extensions: certificateExtensions
              .map((extension) => extension.toUpperCase())
              .join(t('common:listSeparator')),
          })}
          onFile={(file) => onChange?.(file)}
        />
      )}
    </section>
  );
};

type CertificateFieldProps = { index: number; stored: CertificateInfo | null };

/** The file is sent with the form. A stored certificate is shown and can be replaced or removed. */
export const CertificateField = ({ index, stored }: CertificateFieldProps) => {
  const { t } = useTranslation('zoneForm');
  const form = Form.useFormInstance<ZoneValues>();
  const chosen = Form.useWatch<File | null | undefined>(['nodes', index, 'certificate']) ?? null;
  const removed = Form.useWatch(['nodes', index, 'removeCertificate'], { form, preserve: true }) === 1;
  return (
    <>
      <Form.Item name={[index, 'certificate']} label={t('certificate')} rules={[{ validator: validateFile }]}>
        <Picker
          stored={stored}
          removed={removed}
          onRemove={(next) => form.setFieldValue(['nodes', index, 'removeCertificate'], next ? 1 : 0)}
        />
      </Form.Item>
      {mayHavePassword(chosen) && (
        <Field
          name={[index, 'certificatePassword']}
          label={t('certificatePassword')}
          schema={nodeRules.certificatePassword}
          hint={t('certificatePasswordHint')}
        >
          <PasswordInput autoComplete="new-password" />
        </Field>
      )}
    </>
  );
};
