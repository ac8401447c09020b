import { firmwareCalls, NAME_MAX } from '@device-center/contract';
import { Form, Input } from 'antd';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useCall } from '../../../api/use-call.ts';
import { Button } from '../../../ui/button.tsx';
import { Field } from '../../../ui/field.tsx';
import { FormSection } from '../../../ui/form-page.tsx';
import { type ChosenFile, FirmwareField, type PresentFile } from '../upload/firmware-field.tsx';
import { nextVersion } from './next-version.ts';
import { parseFileName } from './parse-file-name.ts';

export const rules = firmwareCalls.addDeviceOtaVersion.input.shape;

export type VersionFields = { versionName: string; versionNumber: string; firmwareUri: string; nickName: string };

/** Newest first; uploaded ones, and those that only devices have told of. */
export const useKnownNumbers = (productId: string): string[] | undefined => {
  const { data } = useCall(firmwareCalls.getProductVersionNumbers, { productId }, { enabled: productId !== '' });
  return productId === '' ? undefined : data?.map(({ versionNumber }) => versionNumber);
};

const NextNumber = ({ known }: { known: string[] }) => {
  const { t } = useTranslation('firmware');
  const form = Form.useFormInstance<VersionFields>();
  const next = nextVersion(known);
  if (next === undefined) return t('numberHint');
  const take = () => {
    form.setFieldValue('versionNumber', next);
    void form.validateFields(['versionNumber']);
  };
  return (
    <>
      {known[0] === undefined ? t('noNumberYet') : t('newest', { number: known[0] })}
      <Button type="link" size="small" onClick={take}>
        {t('useNext', { next })}
      </Button>
    </>
  );
};

type NameFieldsProps = {
  /** Of a new version: the number after its newest is offered. */
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
        hint={known ? <NextNumber known={known} /> : t('numberHint')}
      >
        <Input autoComplete="off" />
      </Field>
    </>
  );
};

type FileSectionProps = {
  tenancyId: string | undefined;
  present?: PresentFile;
  /** Whether there is a file, on its way or on the hub. */
  onFile?: (here: boolean) => void;
};

export const FileSection = ({ tenancyId, present, onFile }: FileSectionProps) => {
  const { t } = useTranslation('firmware');
  const form = Form.useFormInstance<VersionFields>();
  const [named, setNamed] = useState(present !== undefined);
  /** Only where nobody has typed anything. */
  const fillIn = (told: ReturnType<typeof parseFileName>) => {
    for (const field of ['versionName', 'versionNumber'] as const) {
      if (told[field] === '' || form.getFieldValue(field) !== '') continue;
      form.setFieldValue(field, told[field]);
      void form.validateFields([field]);
    }
  };
  const take = (file: ChosenFile) => {
    const here = file.nickName !== '';
    form.setFieldsValue(file);
    if (here) fillIn(parseFileName(file.nickName));
    setNamed(here);
    onFile?.(here);
  };
  return (
    <FormSection title={t('fileSection')}>
      <Field name="firmwareUri" label={t('file')} schema={rules.firmwareUri}>
        <FirmwareField tenancyId={tenancyId} {...(present ? { present } : {})} onFile={take} />
      </Field>
      {named && (
        <Field name="nickName" label={t('fileName')} schema={rules.nickName} hint={t('fileNameHint')}>
          <Input autoComplete="off" />
        </Field>
      )}
    </FormSection>
  );
};
