import { type ZoneDetails, zoneCalls } from '@device-center/contract';
import { Form } from 'antd';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useCallMutation } from '../../../api/use-call.ts';
import { countText } from '../../../i18n/numbers.ts';
import { zoneListPath, zonePath } from '../../../paths.ts';
import { CopyId } from '../../../ui/copy-id.tsx';
import { FormPage } from '../../../ui/form-page.tsx';
import { KeyValue } from '../../../ui/states.tsx';
import { ZoneStatus } from '../zone-status.tsx';
import { mapFileErrors } from './file-errors.ts';
import { TopicPreview, ZoneFields } from './zone-fields.tsx';
import { newZone, sentZone, valuesOf, type ZoneValues } from './zone-values.ts';

type Sent = ReturnType<typeof sentZone>;

/** Reads all values of the form store, including those without a field, such as node ids. */
const useZoneForm = <Answer,>(send: (sent: Sent, values: ZoneValues) => Promise<Answer>) => {
  const [form] = Form.useForm<ZoneValues>();
  const onSubmit = async (): Promise<Answer> => {
    const values: ZoneValues = form.getFieldsValue(true);
    const sent = sentZone(values);
    try {
      return await send(sent, values);
    } catch (error) {
      throw mapFileErrors(error, sent.files);
    }
  };
  return { form, onSubmit };
};

export const CreateZone = () => {
  const { t } = useTranslation(['zoneForm', 'shell', 'common']);
  const add = useCallMutation(zoneCalls.addZone);
  const { form, onSubmit } = useZoneForm((sent, { status }) => add.mutateAsync({ ...sent, status }));
  const [initial] = useState(newZone);
  return (
    <FormPage<ZoneValues, { id: number }>
      title={t('shell:addZoneTitle')}
      form={form}
      initial={initial}
      backTo={zoneListPath}
      leadsTo={({ id }) => zonePath(id)}
      onSubmit={onSubmit}
      summary={
        <>
          <h2>{t('common:summary')}</h2>
          <p>{t('zoneForm:summaryNew')}</p>
          <TopicPreview />
        </>
      }
    >
      <ZoneFields />
    </FormPage>
  );
};

export const EditZone = ({ zone }: { zone: ZoneDetails }) => {
  const { t } = useTranslation(['zoneForm', 'zone', 'common']);
  const { id, zoneName, deviceCount } = zone;
  const modify = useCallMutation(zoneCalls.modifyZone);
  const { form, onSubmit } = useZoneForm((sent) => modify.mutateAsync({ id, ...sent }));
  // The values at opening: a background refetch must not overwrite typed values.
  const [initialZone] = useState(zone);
  const [initial] = useState(() => valuesOf(zone));
  return (
    <FormPage<ZoneValues, null>
      title={t('zoneForm:editTitle')}
      form={form}
      initial={initial}
      backTo={zoneListPath}
      submitText={t('common:save')}
      onSubmit={onSubmit}
      summary={
        <>
          <h2>{zoneName}</h2>
          <KeyValue
            items={[
              { label: 'ID', value: <CopyId value={String(id)} label={zoneName} /> },
              { label: t('zone:status'), value: <ZoneStatus zone={zone} /> },
              { label: t('zone:devices'), value: <span className="dc-number">{countText(deviceCount)}</span> },
            ]}
          />
          <TopicPreview />
        </>
      }
    >
      <ZoneFields zone={initialZone} />
    </FormPage>
  );
};
