import { DESCRIPTION_MAX_BYTES, utf8Bytes } from '@device-center/contract';
import { Input } from 'antd';
import type { TextAreaProps } from 'antd/es/input';
import { useTranslation } from 'react-i18next';

/** A description with a byte counter. The height is fixed, because auto-sizing would need inline styles. */
export const DescriptionInput = (props: TextAreaProps) => {
  const { t } = useTranslation();
  return (
    <Input.TextArea
      rows={3}
      {...props}
      count={{
        max: DESCRIPTION_MAX_BYTES,
        strategy: utf8Bytes,
        show: ({ count: bytes }) => t('bytesOf', { bytes, max: DESCRIPTION_MAX_BYTES }),
      }}
    />
  );
};
