import type { DeviceDetails } from '@device-center/contract';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { inputType, isReadable, outputType, type Sendable } from '../../../model/values/value-draft.ts';
import { ValueForm } from '../../../model/values/value-form.tsx';
import { Button } from '../../../ui/button.tsx';
import { CommandFeedback, ReadButton, useFunctionCommand } from './function-command.tsx';

type FunctionFormProps = {
  device: DeviceDetails;
  entry: Sendable;
  /** The initial value, such as the current value of a property. */
  value?: unknown;
};

/** A form to set a property or to call a service, with the response of the device. */
const FunctionForm = ({ device, entry, value }: FunctionFormProps) => {
  const { t } = useTranslation('deviceDetail');
  const command = useFunctionCommand(device, entry.signCode);
  const { offline, pending } = command;
  const type = useMemo(() => inputType(entry), [entry]);
  return (
    <ValueForm type={type} label={entry.functionName} value={value} disabled={offline} onSubmit={command.send}>
      <div className="dc-function-actions">
        <Button
          type="primary"
          htmlType="submit"
          disabled={offline || pending === 'read'}
          loading={pending === 'send'}
          title={offline ? t('notOnline') : undefined}
        >
          {t(entry.functionType === 1 ? 'write' : 'call')}
        </Button>
        {isReadable(entry) && <ReadButton command={command} name={entry.functionName} />}
        {offline && <span className="dc-muted">{t('notOnline')}</span>}
      </div>
      <CommandFeedback command={command} type={outputType(entry)} />
    </ValueForm>
  );
};

export default FunctionForm;
