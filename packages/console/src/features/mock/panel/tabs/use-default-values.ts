import { defaultFunctionValue, mockCalls } from '@device-center/contract';
import { useCall, useCallMutation } from '../../../../api/use-call.ts';
import { usePanel } from '../panel-context.ts';

/** Default values of a device's functions: stored on the hub and applied to the running mock immediately. */
export const useDefaultValues = (deviceId: string) => {
  const { mock } = usePanel();
  const stored = useCall(mockCalls.queryFunctionDefaults, { deviceId });

  const suggestionFor = (signCode: string): unknown => {
    const entry = mock.modelOf(deviceId).find((known) => known.signCode === signCode);
    return entry && defaultFunctionValue(entry);
  };
  const applyToMock = (values: Record<string, unknown>): void => {
    const changed = Object.entries(values).map(([code, value]) => [code, value ?? suggestionFor(code)] as const);
    mock.setDefaults(deviceId, { ...mock.defaultsOf(deviceId), ...Object.fromEntries(changed) });
  };

  const mutation = useCallMutation(mockCalls.saveFunctionDefaults, {
    as: 'json',
    toast: true,
    alsoRefreshes: [mockCalls.getMockDeviceDetails],
    onSuccess: (_, { values }) => applyToMock(values),
  });

  return {
    valueOf: (signCode: string): unknown => mock.defaultsOf(deviceId)[signCode],
    /** Whether a user saved a default; otherwise the value comes from the model. */
    isSaved: (signCode: string): boolean =>
      stored.data?.some(({ functionId, saved }) => functionId === signCode && saved === 1) ?? false,
    save: (values: Record<string, unknown>, onSaved?: () => void): void =>
      mutation.mutate({ deviceId, values }, { onSuccess: () => onSaved?.() }),
    /** Resets to the defaults of the model. */
    forget: (signCodes: readonly string[], onForgotten?: () => void): void =>
      mutation.mutate(
        { deviceId, values: Object.fromEntries(signCodes.map((signCode) => [signCode, null])) },
        { onSuccess: () => onForgotten?.() },
      ),
    saving: mutation.isPending,
    problem: mutation.error?.message ?? '',
  };
};
export type DefaultValues = ReturnType<typeof useDefaultValues>;
