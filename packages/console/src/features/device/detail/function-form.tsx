import type { DeviceDetails } from '@device-center/contract';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { isReadable, type Sendable, typeSaid, typeToFill } from '../../../model/values/value-draft.ts';
import { ValueForm } from '../../../model/values/value-form.tsx';
import { Button } from '../../../ui/button.tsx';
import { CommandFeedback, ReadButton, useFunctionCommand } from './function-command.tsx';

type FunctionFormProps = {
  device: DeviceDetails;
  entry: Sendable;
  /** To begin with, such as a property's present value. */
  value?: unknown;
};

/** A property to set or a service to call, and what the device answered. */
const FunctionForm = ({ device, entry, value }: FunctionFormProps) => {
  const { t } = useTranslation('deviceDetail');
  const command = useFunctionCommand(device, entry.signCode);
  const { offline, pending } = command;
  const type = useMemo(() => typeToFill(entry), [entry]);
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
      <CommandFeedback command={command} type={typeSaid(entry)} />
    </ValueForm>
  );
};

export default FunctionForm;
