import { type DeviceFact, deviceFactNames, factKind } from '@device-center/contract';
import { Input } from 'antd';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { z } from 'zod';
import { factLabel } from '../../i18n/fact-label.ts';
import { CopyId } from '../../ui/copy-id.tsx';
import { Field } from '../../ui/field.tsx';

export const attributeValue = (fact: DeviceFact, value: string): ReactNode =>
  factKind(fact).mono && value !== '' ? <CopyId value={value} label={factLabel(fact)} /> : value;

/** Form fields, one for each attribute. */
export const AttributeFields = ({ rules }: { rules: Record<DeviceFact, z.ZodType> }) => {
  const { t } = useTranslation('device');
  return deviceFactNames.map((fact) => {
    const { mono, told } = factKind(fact);
    return (
      <Field
        key={fact}
        name={fact}
        label={factLabel(fact)}
        schema={rules[fact]}
        hint={told ? t('reportedHint') : undefined}
      >
        <Input {...(mono && { className: 'dc-mono' })} autoComplete="off" />
      </Field>
    );
  });
};
