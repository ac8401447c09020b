import { firmwareCalls, type Output, otaCalls, productCalls } from '@device-center/contract';
import { Form } from 'antd';
import i18next from 'i18next';
import { FlaskConical } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ApiError } from '../../../api/api-error.ts';
import { send } from '../../../api/send.ts';
import { useCall, useCallMutation } from '../../../api/use-call.ts';
import { taskListPath, taskPath } from '../../../paths.ts';
import { Button } from '../../../ui/button.tsx';
import { FormPage } from '../../../ui/form-page.tsx';
import { BasicSection } from './basic-section.tsx';
import { PreviewPanel, upgradeCount } from './preview-panel.tsx';
import { RehearsalDialog } from './rehearsal-dialog.tsx';
import { RolloutSection } from './rollout-section.tsx';
import { useSafeDefault } from './safe-default.ts';
import { TargetSection } from './target-section.tsx';
import { conditionOf, rolloutOf, type TaskFields, timesOf } from './task-fields.ts';
import { TimesSection } from './times-section.tsx';
import { usePreview } from './use-preview.ts';

/** Fields that a rehearsal uses, and that must therefore be valid. */
const rehearsed = [
  'deviceVersionId',
  'stages',
  'stageWait',
  'perMinute',
  'retries',
  'stopPercent',
  'stopAfter',
] as const satisfies (keyof TaskFields)[];

/** Rejects a task that upgrades no device: it would succeed immediately. */
const rejectEmptyTask = async (values: TaskFields): Promise<void> => {
  const condition = conditionOf(values);
  if (!condition) return;
  const preview = await send(otaCalls.previewDeviceOtaTask, { ...condition, pageSize: 1 });
  if (preview.total === 0 || upgradeCount(preview, values.allowOlder === 1) > 0) return;
  const message = i18next.t('otaForm:nothingToUpgrade');
  const field = values.target === 'versions' ? 'versionNumber' : 'deviceListId';
  throw new ApiError({ status: 400, code: 'NOTHING_TO_UPGRADE', message, details: [{ field, message }] });
};

export const CreateTask = ({ initial }: { initial: TaskFields }) => {
  const { t } = useTranslation(['otaForm', 'common', 'shell']);
  const [form] = Form.useForm<TaskFields>();
  const [rehearsing, setRehearsing] = useState<TaskFields>();
  const watched: TaskFields | undefined = Form.useWatch([], { form, preserve: true });
  const fields = watched ?? initial;
  const add = useCallMutation(otaCalls.addDeviceOtaTask, { as: 'json' });
  const previewQuery = usePreview(fields);
  const { large, choose } = useSafeDefault(form, previewQuery.preview?.total ?? 0);
  const { productId, deviceVersionId: versionId } = fields;
  const { data: product } = useCall(
    productCalls.getDeviceProductDetails,
    { productId },
    { enabled: productId !== '', staleTime: 60_000 },
  );
  const { data: version } = useCall(
    firmwareCalls.getDeviceOtaVersionDetails,
    { versionId },
    { enabled: versionId !== '', staleTime: 60_000 },
  );

  const rehearse = async () => {
    try {
      await form.validateFields([...rehearsed]);
      setRehearsing(form.getFieldsValue(true) as TaskFields);
    } catch {
      const [wrong] = form.getFieldsError([...rehearsed]).filter(({ errors }) => errors.length > 0);
      if (wrong) form.scrollToField(wrong.name, { block: 'center', focus: true });
    }
  };

  return (
    <>
      <FormPage<TaskFields, Output<typeof otaCalls.addDeviceOtaTask>>
        title={t('shell:addTaskTitle')}
        form={form}
        initial={initial}
        backTo={taskListPath}
        leadsTo={({ taskId }) => taskPath(taskId)}
        submitText={t('otaForm:create')}
        onSubmit={async (values) => {
          await rejectEmptyTask(values);
          return add.mutateAsync({
            taskName: values.taskName,
            deviceVersionId: values.deviceVersionId,
            ...conditionOf(values),
            ...timesOf(values),
            ...rolloutOf(values),
          });
        }}
        summary={
          <>
            <h2>{t('common:summary')}</h2>
            <PreviewPanel previewQuery={previewQuery} allowOlder={fields.allowOlder === 1} />
            <div className="dc-rehearse">
              <Button icon={<FlaskConical size={15} aria-hidden />} onClick={() => void rehearse()}>
                {t('otaForm:rehearse')}
              </Button>
              <small>{t('otaForm:rehearseHint')}</small>
            </div>
          </>
        }
      >
        <BasicSection version={version?.versionId === versionId ? version : undefined} />
        <TargetSection
          product={product?.productId === productId ? product : undefined}
          unknown={fields.target === 'devices' ? (previewQuery.preview?.unknown ?? []) : []}
        />
        <TimesSection />
        <RolloutSection large={large} onChoose={choose} />
      </FormPage>
      {rehearsing && (
        <RehearsalDialog
          taskFields={rehearsing}
          versionNumber={version?.versionNumber ?? ''}
          onClose={() => setRehearsing(undefined)}
        />
      )}
    </>
  );
};
