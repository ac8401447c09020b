import { controlCalls, type DataType, type DeviceDetails } from '@device-center/contract';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useCallMutation } from '../../../api/use-call.ts';
import { Button } from '../../../ui/button.tsx';
import { CommandAnswer } from './command-result.tsx';
import './functions.css';

/** Writes, calls or reads one function of a device, and holds the latest result. */
export const useFunctionCommand = ({ deviceId, online }: DeviceDetails, functionId: string) => {
  const [answeredAt, setAnsweredAt] = useState('');
  const command = useCallMutation(controlCalls.commandDeviceFunction, {
    onSuccess: () => setAnsweredAt(new Date().toISOString()),
  });
  return {
    offline: online !== 1,
    pending: command.isPending ? (command.variables.read === 1 ? ('read' as const) : ('send' as const)) : undefined,
    error: command.error,
    result: command.data,
    answeredAt,
    send: (value: unknown) => command.mutate({ deviceId, functionId, functionValue: JSON.stringify(value) }),
    read: () => command.mutate({ deviceId, functionId, read: 1 }),
  };
};
type FunctionCommand = ReturnType<typeof useFunctionCommand>;

export const ReadButton = ({ command, name }: { command: FunctionCommand; name: string }) => {
  const { t } = useTranslation('deviceDetail');
  const { offline, pending } = command;
  return (
    <Button
      disabled={offline || pending === 'send'}
      loading={pending === 'read'}
      title={offline ? t('notOnline') : undefined}
      aria-label={`${t('read')} ${name}`}
      onClick={command.read}
    >
      {t('read')}
    </Button>
  );
};

/** Shows that a command is being sent, its error or its result. */
export const CommandFeedback = ({ command, type }: { command: FunctionCommand; type: DataType }) => {
  const { t } = useTranslation('deviceDetail');
  const { pending, error, result, answeredAt } = command;
  if (pending !== undefined) return <p className="dc-muted">{t('sending')}</p>;
  if (error)
    return (
      <p className="dc-field-error" role="alert">
        {error.message}
      </p>
    );
  return result && <CommandAnswer result={result} at={answeredAt} type={type} />;
};
