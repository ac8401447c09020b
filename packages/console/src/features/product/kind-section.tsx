import { nodeTypeIds, nodeTypes, optionsOf, protocolIds, protocols } from '@device-center/contract';
import { Radio, Select } from 'antd';
import { useTranslation } from 'react-i18next';
import { currentLanguage } from '../../i18n/language.ts';
import { Field } from '../../ui/field.tsx';
import { FormSection } from '../../ui/form-page.tsx';
import { nodeTypeIcons } from '../../ui/node-type-tile.tsx';
import { rules } from './product-fields.tsx';

// Radios named `nodeType` would shadow the form element's own property of that name.
const CARDS = 'productNodeType';

const NodeTypeCards = (props: { value?: number; onChange?: (value: unknown) => void }) => {
  const { t } = useTranslation('product');
  const language = currentLanguage();
  return (
    <Radio.Group className="dc-node-types" aria-label={t('nodeType')} {...props} id={CARDS} name={CARDS}>
      {nodeTypeIds.map((nodeType) => {
        const Icon = nodeTypeIcons[nodeType];
        return (
          <Radio key={nodeType} value={nodeType}>
            <span className="dc-node-type">
              <strong>
                <Icon size={16} strokeWidth={1.75} aria-hidden />
                {nodeTypes[nodeType][language]}
              </strong>
              <small>{t(`nodeType${nodeType}Text`)}</small>
            </span>
          </Radio>
        );
      })}
    </Radio.Group>
  );
};

/** Attributes that cannot be changed later. */
export const KindSection = () => {
  const { t } = useTranslation('product');
  return (
    <FormSection title={t('sectionKind')}>
      <Field name="nodeType" label={t('nodeType')} schema={rules.nodeType} hint={t('fixedHint')}>
        <NodeTypeCards />
      </Field>
      <Field name="protocolId" label={t('protocol')} schema={rules.protocolId} hint={t('fixedHint')}>
        <Select options={optionsOf(protocols, protocolIds, currentLanguage())} />
      </Field>
    </FormSection>
  );
};
