import { attributeKind, type DeviceAttribute, deviceAttributeNames } from '@device-center/contract';
import { Input } from 'antd';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { z } from 'zod';
import { attributeLabel } from '../../i18n/attribute-label.ts';
import { CopyId } from '../../ui/copy-id.tsx';
import { Field } from '../../ui/field.tsx';

export const attributeValue = (attribute: DeviceAttribute, value: string): ReactNode =>
  attributeKind(attribute).mono && value !== '' ? <CopyId value={value} label={attributeLabel(attribute)} /> : value;

/** Form fields, one for each attribute. */
export const AttributeFields = ({ rules }: { rules: Record<DeviceAttribute, z.ZodType> }) => {
  const { t } = useTranslation('device');
  return deviceAttributeNames.map((attribute) => {
    const { mono, reported } = attributeKind(attribute);
    return (
      <Field
        key={attribute}
        name={attribute}
        label={attributeLabel(attribute)}
        schema={rules[attribute]}
        hint={reported ? t('reportedHint') : undefined}
      >
        <Input {...(mono && { className: 'dc-mono' })} autoComplete="off" />
      </Field>
    );
  });
};
