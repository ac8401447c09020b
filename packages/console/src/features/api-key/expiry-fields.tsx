import { errorText, fieldTexts } from '@device-center/contract';
import { DatePicker, Form, Radio } from 'antd';
import dayjs from 'dayjs';
import type { AriaAttributes } from 'react';
import { useTranslation } from 'react-i18next';
import { currentLanguage } from '../../i18n/language.ts';
import { type ExpiryChoice, expiryChoices } from './expiry.ts';

type TimeInputProps = { id?: string; value?: string; onChange?: (time: string) => void } & Pick<
  AriaAttributes,
  'aria-invalid' | 'aria-describedby' | 'aria-required'
>;

/** The form stores an ISO string; the picker shows it in the browser's time zone. */
const TimeInput = ({ value = '', onChange, ...ariaProps }: TimeInputProps) => (
  <DatePicker
    {...ariaProps}
    className="dc-key-time"
    showTime={{ format: 'HH:mm' }}
    format="YYYY-MM-DD HH:mm"
    placeholder=""
    value={value === '' ? null : dayjs(value)}
    onChange={(time) => onChange?.(time ? time.second(0).millisecond(0).toISOString() : '')}
  />
);

const validateFutureTime = async (_rule: unknown, time: string | undefined) => {
  if (!time) throw new Error(fieldTexts.REQUIRED[currentLanguage()]);
  if (Date.parse(time) <= Date.now()) throw new Error(errorText('EXPIRY_PAST', currentLanguage()));
};

export const ExpiryFields = () => {
  const { t } = useTranslation('apiKey');
  const expiry = Form.useWatch<ExpiryChoice | undefined>('expiry');
  return (
    <>
      <Form.Item name="expiry" label={t('expires')} extra={expiry === 'never' ? t('neverHint') : undefined}>
        <Radio.Group options={expiryChoices.map((value) => ({ value, label: t(`expiry_${value}`) }))} />
      </Form.Item>
      {expiry === 'custom' && (
        <Form.Item name="expireTime" label={t('expiryTime')} required rules={[{ validator: validateFutureTime }]}>
          <TimeInput />
        </Form.Item>
      )}
    </>
  );
};
