import { containsAccount, errorText, fields } from '@device-center/contract';
import { Form } from 'antd';
import { useTranslation } from 'react-i18next';
import { currentLanguage } from '../i18n/language.ts';
import { PasswordInput, PasswordRules } from './password-input.tsx';
import { rulesFrom } from './rules.ts';

type NewPasswordFieldsProps = {
  /** Empty if the console does not know the account; the hub checks it then. */ account: string;
  autoFocus?: boolean;
};

/** The fields `newPassword` and `confirmed` of the enclosing form, with the four password rules of the spec. */
export const NewPasswordFields = ({ account, autoFocus = false }: NewPasswordFieldsProps) => {
  const { t } = useTranslation();
  const form = Form.useFormInstance<{ newPassword?: string; confirmed?: string }>();
  const password = Form.useWatch('newPassword', form) ?? '';
  const confirmed = Form.useWatch('confirmed', form) ?? '';
  return (
    <>
      <Form.Item
        name="newPassword"
        validateFirst
        label={t('newPassword')}
        required
        rules={[
          ...rulesFrom(fields.password()),
          {
            validator: async (_rule, value: string = '') => {
              if (containsAccount(value, account)) {
                throw new Error(errorText('PASSWORD_CONTAINS_ACCOUNT', currentLanguage()));
              }
            },
          },
        ]}
      >
        <PasswordInput autoComplete="new-password" autoFocus={autoFocus} />
      </Form.Item>
      <Form.Item
        name="confirmed"
        label={t('confirmPassword')}
        required
        dependencies={['newPassword']}
        rules={[
          ({ getFieldValue }) => ({
            validator: async (_rule, value: string = '') => {
              if (value !== (getFieldValue('newPassword') ?? '')) throw new Error(t('passwordMismatch'));
            },
          }),
        ]}
      >
        <PasswordInput autoComplete="new-password" />
      </Form.Item>
      <PasswordRules password={password} account={account} confirmed={confirmed} />
    </>
  );
};
