import { fields } from '@device-center/contract';
import { Form } from 'antd';
import { useTranslation } from 'react-i18next';
import { useApplicationChoices, useRoleChoices } from '../../api/choices.ts';
import { ChoiceSelect } from '../../ui/choice-select.tsx';
import { Field } from '../../ui/field.tsx';
import type { KeyFields } from './key-fields.ts';

type TargetProps = { tenancyId: string };

// Both ids are optional in the contract, because a key has a role or an application. The form requires the one it shows.
const requiredId = fields.id();

/** Offers only roles that the creator could also assign to a user: the hub rejects others. */
export const RoleField = ({ tenancyId }: TargetProps) => {
  const { t } = useTranslation('apiKey');
  const roleId = Form.useWatch<string | undefined>('roleId', Form.useFormInstance<KeyFields>());
  const roles = useRoleChoices(roleId, { tenancyId, forAssignment: true });
  return (
    <Field name="roleId" label={t('role')} schema={requiredId} hint={t('roleHint')}>
      <ChoiceSelect choices={roles} placeholder={t('chooseRole')} />
    </Field>
  );
};

export const ApplicationField = ({ tenancyId }: TargetProps) => {
  const { t } = useTranslation('apiKey');
  const applicationId = Form.useWatch<string | undefined>('applicationId', Form.useFormInstance<KeyFields>());
  const applications = useApplicationChoices(applicationId, { tenancyId });
  return (
    <Field name="applicationId" label={t('application')} schema={requiredId} hint={t('applicationHint')}>
      <ChoiceSelect choices={applications} placeholder={t('chooseApplication')} />
    </Field>
  );
};
