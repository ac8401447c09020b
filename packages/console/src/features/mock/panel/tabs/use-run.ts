import { type MockRun, type MockStep, mockCalls } from '@device-center/contract';
import { useCallMutation } from '../../../../api/use-call.ts';
import { usePanel } from '../panel-context.ts';
import { useAutomation } from './automation.ts';

/** Settings stored on the hub for running the device there. */
export const useRun = () => {
  const { details } = usePanel();
  const automation = useAutomation();
  const mutation = useCallMutation(mockCalls.saveMockRun, {
    as: 'json',
    toast: true,
    alsoRefreshes: [mockCalls.getMockDeviceDetails],
  });
  const { runInHub, mode, everySeconds } = details.run;
  return {
    saved: details.run,
    save: (change: Partial<Omit<MockRun, 'sequence'>> & { sequence?: readonly MockStep[] }): void => {
      const { sequence, ...rest } = change;
      mutation.mutate(
        {
          deviceId: details.deviceId,
          runInHub,
          mode,
          everySeconds,
          ...rest,
          ...(sequence ? { sequence: [...sequence] } : {}),
        },
        { onSuccess: () => sequence && automation.markSaved(sequence) },
      );
    },
    saving: mutation.isPending,
    problem: mutation.error?.message ?? '',
  };
};
