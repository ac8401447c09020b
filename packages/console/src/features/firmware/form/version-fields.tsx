import { firmwareCalls, NAME_MAX } from '@device-center/contract';
import { Form, Input } from 'antd';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useCall } from '../../../api/use-call.ts';
import { Button } from '../../../ui/button.tsx';
import { Field } from '../../../ui/field.tsx';
import { FormSection } from '../../../ui/form-page.tsx';
import { type ChosenFile, type CurrentFile, FirmwareField } from '../upload/firmware-field.tsx';
import { nextVersion } from './next-version.ts';
import { parseFileName } from './parse-file-name.ts';

export const rules = firmwareCalls.addDeviceOtaVersion.input.shape;

export type VersionFields = { versionName: string; versionNumber: string; firmwareUri: string; nickName: string };

/** The version numbers of a product, newest first: uploaded ones, and those that only devices have reported. */
export const useKnownNumbers = (productId: string): string[] | undefined => {
  const { data } = useCall(firmwareCalls.getProductVersionNumbers, { productId }, { enabled: productId !== '' });
  return productId === '' ? undefined : data?.map(({ versionNumber }) => versionNumber);
};

const NextNumberHint = ({ known }: { known: string[] }) => {
  const { t } = useTranslation('firmware');
  const form = Form.useFormInstance<VersionFields>();
  const next = nextVersion(known);
  if (next === undefined) return t('numberHint');
  const apply = () => {
    form.setFieldValue('versionNumber', next);
    void form.validateFields(['versionNumber']);
  };
  return (
    <>
      {known[0] === undefined ? t('noNumberYet') : t('newest', { number: known[0] })}
      <Button type="link" size="small" onClick={apply}>
        {t('useNext', { next })}
      </Button>
    </>
  );
};

type NameFieldsProps = {
  /** Set for a new version: the form offers the next number of this product. */
  productId?: string;
};

export const NameFields = ({ productId = '' }: NameFieldsProps) => {
  const { t } = useTranslation('firmware');
  const known = useKnownNumbers(productId);
  return (
    <>
      <Field name="versionName" label={t('versionName')} schema={rules.versionName} hint={t('nameHint')}>
        <Input count={{ max: NAME_MAX, show: true }} />
      </Field>
      <Field
        name="versionNumber"
        label={t('versionNumber')}
        schema={rules.versionNumber}
        hint={known ? <NextNumberHint known={known} /> : t('numberHint')}
      >
        <Input autoComplete="off" />
      </Field>
    </>
  );
};

type FileSectionProps = {
  tenancyId: string | undefined;
  currentFile?: CurrentFile;
  /** Called with whether a file is uploading or uploaded. */
  onFile?: (hasFile: boolean) => void;
};

export const FileSection = ({ tenancyId, currentFile, onFile }: FileSectionProps) => {
  const { t } = useTranslation('firmware');
  const form = Form.useFormInstance<VersionFields>();
  const [hasFileName, setHasFileName] = useState(currentFile !== undefined);
  /** Fills in empty fields only. */
  const fillIn = (parsed: ReturnType<typeof parseFileName>) => {
    for (const field of ['versionName', 'versionNumber'] as const) {
      if (parsed[field] === '' || form.getFieldValue(field) !== '') continue;
      form.setFieldValue(field, parsed[field]);
      void form.validateFields([field]);
    }
  };
  const handleFile = (file: ChosenFile) => {
    const hasFile = file.nickName !== '';
    form.setFieldsValue(file);
    if (hasFile) fillIn(parseFileName(file.nickName));
    setHasFileName(hasFile);
    onFile?.(hasFile);
  };
  return (
    <FormSection title={t('fileSection')}>
      <Field name="firmwareUri" label={t('file')} schema={rules.firmwareUri}>
        <FirmwareField tenancyId={tenancyId} {...(currentFile ? { currentFile } : {})} onFile={handleFile} />
      </Field>
      {hasFileName && (
        <Field name="nickName" label={t('fileName')} schema={rules.nickName} hint={t('fileNameHint')}>
          <Input autoComplete="off" />
        </Field>
      )}
    </FormSection>
  );
};
