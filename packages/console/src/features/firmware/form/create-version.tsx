import { firmwareCalls, type Output } from '@device-center/contract';
import { Form } from 'antd';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { usePlatformOperator } from '../../../api/platform-operator.ts';
import { useProductChoices } from '../../../api/product-choices.ts';
import { useCan, useSession } from '../../../api/session.ts';
import { useCallMutation } from '../../../api/use-call.ts';
import { ProductSelect } from '../../../filters/product-select.tsx';
import { countText } from '../../../i18n/numbers.ts';
import { taskFormPath, versionListPath, versionPath } from '../../../paths.ts';
import { Field } from '../../../ui/field.tsx';
import { FormPage, FormSection } from '../../../ui/form-page.tsx';
import { pageTarget } from '../../../ui/routing.ts';
import { KeyValue } from '../../../ui/states.tsx';
import { forgetFirmwareUpload } from '../upload/use-firmware-upload.ts';
import { FileSection, NameFields, rules, useKnownNumbers, type VersionFields } from './version-fields.tsx';

type NewFields = VersionFields & { productId: string };

type SummaryProps = { product: { productId: string; deviceCount: number } | undefined };

const Summary = ({ product }: SummaryProps) => {
  const { t } = useTranslation(['firmware', 'common']);
  const known = useKnownNumbers(product?.productId ?? '');
  return (
    <>
      <h2>{t('common:summary')}</h2>
      <p>{t('firmware:summaryNew')}</p>
      {product && (
        <KeyValue
          items={[
            { label: t('firmware:devicesOfProduct'), value: countText(product.deviceCount) },
            { label: t('firmware:newestNumber'), value: known?.[0] ?? '' },
          ]}
        />
      )}
    </>
  );
};

export const CreateVersion = ({ product: initialProductId }: { product: string }) => {
  const { t } = useTranslation(['firmware', 'shell']);
  const [form] = Form.useForm<NewFields>();
  const operator = usePlatformOperator();
  const session = useSession();
  const mayCreateTask = useCan('ota:write');
  const [initial] = useState<NewFields>(() => ({
    productId: initialProductId,
    versionName: '',
    versionNumber: '',
    firmwareUri: '',
    nickName: '',
  }));
  const productId = Form.useWatch('productId', form) ?? initial.productId;
  // A file belongs to one tenant: with a product of another tenant it would have to be uploaded again.
  const [fileTenancyId, setFileTenancyId] = useState<string>();
  const products = useProductChoices(productId, { tenancyId: fileTenancyId });
  const { product } = products;
  const tenancyId = fileTenancyId ?? (operator ? product?.tenancyId : session?.tenancyId);
  const add = useCallMutation(firmwareCalls.addDeviceOtaVersion, {
    onSuccess: (_answer, { firmwareUri }) => void forgetFirmwareUpload(firmwareUri),
  });

  return (
    <FormPage<NewFields, Output<typeof firmwareCalls.addDeviceOtaVersion>>
      title={t('shell:addVersionTitle')}
      form={form}
      initial={initial}
      backTo={versionListPath}
      leadsTo={({ versionId }) => versionPath(versionId, 2)}
      goesOn={
        mayCreateTask
          ? {
              text: t('firmware:rollOut'),
              to: ({ versionId }) => pageTarget(taskFormPath, { versionId, rollOut: 1 }),
            }
          : undefined
      }
      onSubmit={(values) => add.mutateAsync(values)}
      summary={<Summary product={product} />}
    >
      <FormSection title={t('firmware:sectionVersion')}>
        <Field
          name="productId"
          label={t('firmware:product')}
          schema={rules.productId}
          hint={t(operator && fileTenancyId !== undefined ? 'firmware:productHeld' : 'firmware:productHint')}
        >
          <ProductSelect choices={products} placeholder={t('firmware:productPlaceholder')} />
        </Field>
        <NameFields productId={productId} />
      </FormSection>
      <FileSection tenancyId={tenancyId} onFile={(hasFile) => setFileTenancyId(hasFile ? tenancyId : undefined)} />
    </FormPage>
  );
};
