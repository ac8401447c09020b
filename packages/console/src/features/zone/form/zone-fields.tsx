import {
  changedZoneFields,
  downTopic,
  zoneFields as rules,
  upTopic,
  type ZoneDetails,
  ZoneType,
} from '@device-center/contract';
import { Form, Input } from 'antd';
import { useTranslation } from 'react-i18next';
import { Field } from '../../../ui/field.tsx';
import { FlagSwitch } from '../../../ui/flag-switch.tsx';
import { FormSection } from '../../../ui/form-page.tsx';
import { NodeList } from './node-list.tsx';
import { TenantsField } from './tenants-field.tsx';
import { TypeField } from './type-field.tsx';
import { suggestedKey, type ZoneValues } from './zone-values.ts';

/** Derives the route key of a new zone from its name until the user edits the key. */
const useKeySuggestion = (enabled: boolean) => {
  const form = Form.useFormInstance<ZoneValues>();
  return (zoneName: string) => {
    if (!enabled || form.isFieldTouched('routeKey')) return;
    form.setFieldValue('routeKey', suggestedKey(zoneName));
  };
};

const BasicSection = ({ zone }: { zone?: ZoneDetails }) => {
  const { t } = useTranslation(['zoneForm', 'zone']);
  const nodes = Form.useWatch<ZoneValues['nodes'] | undefined>('nodes') ?? zone?.nodes ?? [];
  const usesOwnListener = zone?.builtin === 1 && nodes.length === 0;
  const address = usesOwnListener ? changedZoneFields.address : rules.address;
  const suggestKey = useKeySuggestion(zone === undefined);
  return (
    <FormSection title={t('zoneForm:sectionBasic')}>
      <Field name="zoneName" label={t('zone:zoneName')} schema={rules.zoneName} hint={t('zoneForm:nameHint')}>
        <Input autoFocus count={{ max: 50, show: true }} onChange={({ target }) => suggestKey(target.value)} />
      </Field>
      <TypeField {...(zone ? { zone } : {})} />
      <div className="dc-form-pair">
        <Field
          name="address"
          label={t('zone:address')}
          schema={address}
          hint={t(usesOwnListener ? 'zoneForm:addressHintBuiltin' : 'zoneForm:addressHint')}
        >
          <Input className="dc-mono-input" autoComplete="off" spellCheck={false} />
        </Field>
        <Field name="routeKey" label={t('zone:routeKey')} schema={rules.routeKey} hint={t('zoneForm:routeKeyHint')}>
          <Input className="dc-mono-input" autoComplete="off" spellCheck={false} />
        </Field>
        <Form.Item name="isSyncModel" label={t('zoneForm:syncLabel')} extra={t('zoneForm:syncHint')}>
          <FlagSwitch />
        </Form.Item>
        <TenantsField isNew={zone === undefined} />
        {zone === undefined && (
          <Form.Item name="status" label={t('zoneForm:statusLabel')}>
            <FlagSwitch />
          </Form.Item>
        )}
      </div>
    </FormSection>
  );
};

export const ZoneFields = ({ zone }: { zone?: ZoneDetails }) => {
  const { t } = useTranslation('zoneForm');
  const type = Form.useWatch<1 | 2 | undefined>('zoneType') ?? zone?.zoneType ?? ZoneType.inner;
  return (
    <>
      <BasicSection {...(zone ? { zone } : {})} />
      <FormSection title={t('sectionNodes')}>
        <NodeList type={type} stored={zone?.nodes ?? []} mayBeNone={zone?.builtin === 1} />
      </FormSection>
    </>
  );
};

/** Preview of the device topics for the typed route key. */
export const TopicPreview = () => {
  const { t } = useTranslation(['zoneForm', 'zone']);
  const routeKey = Form.useWatch<string | undefined>('routeKey') || '…';
  const owner = { routeKey, tenancyId: '{tenancyId}', productId: '{productId}', deviceId: '{deviceId}' };
  return (
    <div className="dc-zone-topics">
      <h2>{t('zoneForm:summaryTopics')}</h2>
      <p>
        <code className="dc-mono">{upTopic(owner)}</code>
      </p>
      <p>
        <code className="dc-mono">{downTopic(owner)}</code>
      </p>
    </div>
  );
};
