import { type QuotaName, type QuotaRow, quotaCalls, quotaDefaults, quotaNames } from '@device-center/contract';
import { Form, InputNumber, Modal } from 'antd';
import { useTranslation } from 'react-i18next';
import { useCallMutation } from '../../api/use-call.ts';
import { Field } from '../../ui/field.tsx';
import { useOnline } from '../../ui/media.ts';
import { amountText, isInBytes } from '../../ui/quota-list.tsx';

const MB = 1024 ** 2;
const rules = quotaCalls.updateTenancyQuotas.input.shape;

/** Sizes are entered in MB. */
const unitOf = (name: QuotaName): number => (isInBytes(name) ? MB : 1);

type Values = Partial<Record<QuotaName, number | null>>;
type EditProps = { tenancyId: string; name: string; quotas: readonly QuotaRow[]; onClose: () => void };

/** A limit set by the API may be any number of bytes; the input takes whole MB. */
const shown = (name: QuotaName, limit: number): number => Math.max(1, Math.round(limit / unitOf(name)));

const initialOf = (quotas: readonly QuotaRow[]): Values =>
  Object.fromEntries(
    quotas.flatMap(({ name, limit, own }) => (own === 1 && limit !== null ? [[name, shown(name, limit)]] : [])),
  );

export const EditQuotas = ({ tenancyId, name, quotas, onClose }: EditProps) => {
  const { t } = useTranslation(['quota', 'common']);
  const online = useOnline();
  const [form] = Form.useForm<Values>();
  const update = useCallMutation(quotaCalls.updateTenancyQuotas, { toast: true, onSuccess: onClose });
  const submit = (values: Values): void => {
    const limits = quotaNames.flatMap((quota) => {
      const value = values[quota] ?? null;
      const { limit = null } = quotas.find(({ name: one, own }) => one === quota && own === 1) ?? {};
      if (limit !== null && value === shown(quota, limit)) return [[quota, limit]];
      return value === null ? [] : [[quota, value * unitOf(quota)]];
    });
    update.mutate({ tenancyId, ...Object.fromEntries(limits) });
  };
  return (
    <Modal
      open
      title={t('quota:editTitle', { name })}
      okText={t('common:save')}
      cancelText={t('common:cancel')}
      okButtonProps={{ disabled: !online }}
      confirmLoading={update.isPending}
      onOk={() => form.submit()}
      onCancel={onClose}
    >
      <p className="dc-muted dc-quota-text">{t('quota:editText')}</p>
      <Form<Values> form={form} layout="vertical" initialValues={initialOf(quotas)} onFinish={submit}>
        {quotaNames.map((quota) => {
          const standard = quotaDefaults[quota];
          const value = standard === null ? t('quota:noLimit') : amountText(quota, standard);
          return (
            <Field
              key={quota}
              name={quota}
              label={t(`quota:${quota}`)}
              schema={rules[quota]}
              hint={t('quota:byDefault', { value })}
            >
              <InputNumber className="dc-quota-input" {...(isInBytes(quota) ? { suffix: 'MB' } : {})} />
            </Field>
          );
        })}
      </Form>
    </Modal>
  );
};
