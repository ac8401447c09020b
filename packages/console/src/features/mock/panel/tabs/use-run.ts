import { type MockRun, type MockStep, mockCalls } from '@device-center/contract';
import { useCallMutation } from '../../../../api/use-call.ts';
import { usePanel } from '../panel-context.ts';
import { useStudio } from './automation.ts';

/** Settings stored on the hub for running the device there. */
export const useRun = () => {
  const { details } = usePanel();
  const studio = useStudio();
  const command = useCallMutation(mockCalls.saveMockRun, {
    as: 'json',
    toast: true,
    alsoRefreshes: [mockCalls.getMockDeviceDetails],
  });
  const { runInHub, mode, everySeconds } = details.run;
  return {
    kept: details.run,
    save: (change: Partial<Omit<MockRun, 'sequence'>> & { sequence?: readonly MockStep[] }): void => {
      const { sequence, ...rest } = change;
      command.mutate(
        {
          deviceId: details.deviceId,
          runInHub,
          mode,
          everySeconds,
          ...rest,
          ...(sequence ? { sequence: [...sequence] } : {}),
        },
        { onSuccess: () => sequence && studio.settle(sequence) },
      );
    },
    saving: command.isPending,
    problem: command.error?.message ?? '',
  };
};
