import { type ZoneDetails, ZoneType } from '@device-center/contract';
import { App, Form, Radio } from 'antd';
import { useTranslation } from 'react-i18next';
import { emptyNode, isUntouched, type ZoneValues } from './zone-values.ts';

type TypeChoiceProps = { id?: string; value?: 1 | 2; onChange?: (type: 1 | 2) => void; outerDisabled: boolean };

/** Zone type. Nodes are not compatible between types: switching clears them, after a confirmation if they have data. */
const TypeChoice = ({ id, value, onChange, outerDisabled }: TypeChoiceProps) => {
  const { t } = useTranslation(['zoneForm', 'zone', 'common']);
  const { modal } = App.useApp();
  const form = Form.useFormInstance<ZoneValues>();
  const change = (type: 1 | 2) => {
    onChange?.(type);
    form.setFieldValue('nodes', [emptyNode()]);
  };
  const ask = (type: 1 | 2) => {
    const nodes: NodeList = form.getFieldValue('nodes') ?? [];
    if (nodes.every(isUntouched)) return change(type);
    void modal.confirm({
      title: t('zoneForm:switchTitle'),
      content: t('zoneForm:switchText'),
      okText: t('zoneForm:switchOk'),
      cancelText: t('common:cancel'),
      okButtonProps: { danger: true },
      onOk: () => change(type),
    });
  };
  return (
    <Radio.Group
      {...(id === undefined ? {} : { id })}
      value={value}
      onChange={({ target }) => ask(target.value as 1 | 2)}
      options={[
        { value: ZoneType.inner, label: t('zone:type_1') },
        { value: ZoneType.outer, label: t('zone:type_2'), disabled: outerDisabled },
      ]}
    />
  );
};

type NodeList = ZoneValues['nodes'];

/** `zone` is undefined for a new zone. */
export const TypeField = ({ zone }: { zone?: ZoneDetails }) => {
  const { t } = useTranslation(['zoneForm', 'zone']);
  const type = Form.useWatch<1 | 2 | undefined>('zoneType') ?? ZoneType.inner;
  const disabledReason = (): string | undefined => {
    if (zone === undefined || zone.zoneType === ZoneType.outer) return undefined;
    if (zone.builtin === 1) return t('zoneForm:typeBuiltin');
    return zone.deviceCount > 0 ? t('zoneForm:typeHeld', { count: zone.deviceCount }) : undefined;
  };
  const reason = disabledReason();
  return (
    <Form.Item
      name="zoneType"
      label={t('zone:zoneType')}
      required
      extra={[t(`zoneForm:typeHint_${type}`), reason].filter(Boolean).join(' ')}
    >
      <TypeChoice outerDisabled={reason !== undefined} />
    </Form.Item>
  );
};
