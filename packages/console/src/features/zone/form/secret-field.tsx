import { Form } from 'antd';
import { useTranslation } from 'react-i18next';
import { Button } from '../../../ui/button.tsx';
import { Field } from '../../../ui/field.tsx';
import { PasswordInput } from '../../../ui/password-input.tsx';
import { nodeRules, type ZoneValues } from './zone-values.ts';

const kinds = {
  password: { forget: 'forgetPassword', label: 'password', forgetLabel: 'forgetPassword' },
  apiKey: { forget: 'forgetApiKey', label: 'apiKey', forgetLabel: 'forgetApiKey' },
} as const;

type SecretFieldProps = {
  kind: keyof typeof kinds;
  index: number;
  /** Whether the hub has stored a secret. It is never shown; an empty field keeps it. */
  stored: boolean;
  /** Hint if no secret is stored. */
  hint?: string;
};

export const SecretField = ({ kind, index, stored, hint }: SecretFieldProps) => {
  const { t } = useTranslation('zoneForm');
  const form = Form.useFormInstance<ZoneValues>();
  const { forget, label, forgetLabel } = kinds[kind];
  const forgotten = Form.useWatch(['nodes', index, forget], { form, preserve: true }) === true;
  const set = (next: boolean) => form.setFieldValue(['nodes', index, forget], next);
  const storedHint = (
    <span className="dc-stored-secret">
      {t(forgotten ? 'secretForgotten' : 'secretStored')}
      <Button
        type="link"
        size="small"
        aria-label={forgotten ? undefined : t(forgetLabel, { number: index + 1 })}
        onClick={() => set(!forgotten)}
      >
        {t(forgotten ? 'secretKeep' : 'secretForget')}
      </Button>
    </span>
  );
  return (
    <Field name={[index, kind]} label={t(label)} schema={nodeRules[kind]} hint={stored ? storedHint : hint}>
      <PasswordInput autoComplete="new-password" {...(stored && !forgotten ? { placeholder: '••••••••' } : {})} />
    </Field>
  );
};
