import { ServerType, type ZoneNode } from '@device-center/contract';
import { Form, Input, Radio } from 'antd';
import { useTranslation } from 'react-i18next';
import { Field } from '../../../ui/field.tsx';
import { FlagSwitch } from '../../../ui/flag-switch.tsx';
import { CertificateField } from './certificate-field.tsx';
import { SecretField } from './secret-field.tsx';
import { nodeRules, portAfter, type ZoneValues } from './zone-values.ts';

export type NodeFieldsProps = {
  index: number;
  /** The stored node, if it exists. */
  stored: ZoneNode | undefined;
};

export const InnerFields = ({ index, stored }: NodeFieldsProps) => {
  const { t } = useTranslation(['zoneForm', 'zone']);
  const form = Form.useFormInstance<ZoneValues>();
  const serverType = Form.useWatch(['nodes', index, 'serverType'], form);
  const updatePort = (change: { tls?: 0 | 1; serverType?: 1 | 2 }) => {
    const { port, serverType, tls } = { ...form.getFieldValue(['nodes', index]), ...change };
    form.setFieldValue(['nodes', index, 'port'], portAfter(port, serverType, tls));
  };
  return (
    <>
      <div className="dc-form-pair dc-node-address">
        <Field
          name={[index, 'hostName']}
          label={t('zoneForm:hostName')}
          schema={nodeRules.hostName}
          hint={t('zoneForm:hostNameHint')}
        >
          <Input className="dc-mono-input" autoComplete="off" spellCheck={false} />
        </Field>
        <Field name={[index, 'port']} label={t('zoneForm:port')} schema={nodeRules.port}>
          <Input className="dc-mono-input" inputMode="numeric" autoComplete="off" />
        </Field>
        <Form.Item name={[index, 'serverType']} label={t('zoneForm:serverType')}>
          <Radio.Group
            onChange={({ target }) => updatePort({ serverType: target.value })}
            options={[
              { value: ServerType.mqtt, label: t('zone:service_1') },
              { value: ServerType.http, label: t('zone:service_2') },
            ]}
          />
        </Form.Item>
        <Form.Item name={[index, 'tls']} label={t('zoneForm:tls')} getValueFromEvent={withPortUpdate(updatePort)}>
          <FlagSwitch />
        </Form.Item>
      </div>
      <div className="dc-form-pair">
        <Field
          name={[index, 'username']}
          label={t('zoneForm:username')}
          schema={nodeRules.username}
          hint={t('zoneForm:usernameHint')}
        >
          <Input autoComplete="off" spellCheck={false} />
        </Field>
        <SecretField kind="password" index={index} stored={stored?.hasPassword === 1} />
      </div>
      {serverType === ServerType.http && (
        <SecretField
          kind="apiKey"
          index={index}
          stored={stored?.hasApiKey === 1}
          hint={t('zoneForm:apiKeyOfHttpHint')}
        />
      )}
      <CertificateField index={index} stored={stored?.certificate ?? null} />
    </>
  );
};

/** Value mapper of the TLS switch that also updates the port. */
const withPortUpdate =
  (update: (change: { tls: 0 | 1 }) => void) =>
  (tls: 0 | 1): 0 | 1 => {
    update({ tls });
    return tls;
  };

export const OuterFields = ({ index, stored }: NodeFieldsProps) => {
  const { t } = useTranslation('zoneForm');
  return (
    <>
      <div className="dc-form-pair">
        <Field
          name={[index, 'bucketUrl']}
          label={t('bucketUrl')}
          schema={nodeRules.bucketUrl}
          hint={t('bucketUrlHint')}
        >
          <Input className="dc-mono-input" autoComplete="off" spellCheck={false} />
        </Field>
        <Field
          name={[index, 'bucketZoneId']}
          label={t('bucketZoneId')}
          schema={nodeRules.bucketZoneId}
          hint={t('bucketZoneIdHint')}
        >
          <Input className="dc-mono-input" inputMode="numeric" autoComplete="off" />
        </Field>
      </div>
      <SecretField kind="apiKey" index={index} stored={stored?.hasApiKey === 1} hint={t('apiKeyHint')} />
      <CertificateField index={index} stored={stored?.certificate ?? null} />
    </>
  );
};
