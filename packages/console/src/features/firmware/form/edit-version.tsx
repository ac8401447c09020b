import { firmwareCalls, type VersionDetails } from '@device-center/contract';
import { Form } from 'antd';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useCallMutation } from '../../../api/use-call.ts';
import { versionPath } from '../../../paths.ts';
import { FormPage, FormSection } from '../../../ui/form-page.tsx';
import { KeyValue } from '../../../ui/states.tsx';
import { DeviceShare } from '../list/device-share.tsx';
import { ProductName } from '../list/version-columns.tsx';
import { forgetFirmwareUpload } from '../upload/use-firmware-upload.ts';
import { FileSection, NameFields, type VersionFields } from './version-fields.tsx';

export const EditVersion = ({ version }: { version: VersionDetails }) => {
  const { t } = useTranslation(['firmware', 'common']);
  const [form] = Form.useForm<VersionFields>();
  const { versionId, productId, tenancyId } = version;
  // The state when the form opened: a background refetch must not overwrite the user's input.
  const [opened] = useState(version);
  const [initial] = useState<VersionFields>(() => ({
    versionName: version.versionName,
    versionNumber: version.versionNumber,
    firmwareUri: version.firmwareUri,
    nickName: version.nickName,
  }));
  const update = useCallMutation(firmwareCalls.updateDeviceOtaVersion, {
    onSuccess: (_answer, { firmwareUri }) => void forgetFirmwareUpload(firmwareUri),
  });
  return (
    <FormPage<VersionFields>
      title={t('firmware:editTitle')}
      form={form}
      initial={initial}
      backTo={versionPath(versionId, 2)}
      submitText={t('common:save')}
      onSubmit={(values) => update.mutateAsync({ ...values, versionId, productId })}
      summary={
        <>
          <h2>{`${opened.versionName} ${opened.versionNumber}`}</h2>
          <p>{t('firmware:summaryEdit')}</p>
          <KeyValue
            items={[
              { label: t('firmware:product'), value: <ProductName version={version} /> },
              {
                label: t('firmware:running'),
                value: <DeviceShare devices={version.deviceCount} all={version.productDeviceCount} />,
              },
            ]}
          />
        </>
      }
    >
      <FormSection title={t('firmware:sectionVersion')}>
        <NameFields />
      </FormSection>
      <FileSection tenancyId={tenancyId} currentFile={opened} />
    </FormPage>
  );
};
