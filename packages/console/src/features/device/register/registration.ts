import { deviceCalls, type Output, REGISTER_MAX, type RejectedRow } from '@device-center/contract';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { announceFailure } from '../../../api/feedback.ts';
import { send } from '../../../api/send.ts';
import { keyOf } from '../../../api/use-call.ts';
import { listsWithDeviceCount } from '../list/pending-action.ts';
import { randomDeviceId } from './random-id.ts';

type CheckResult = Output<typeof deviceCalls.checkDeviceFile>;
type Registered = Output<typeof deviceCalls.registerDevices>['registered'];

export type Registration = {
  /** The rows of the file, of which the check rejected `leftOut`. */
  total: number;
  leftOut: number;
  done: number;
  registered: Registered;
  /** The rejected rows, each with its line, including those of the check. */
  refused: RejectedRow[];
  state: 'running' | 'cancelling' | 'cancelled' | 'interrupted' | 'ended';
  /** Why it was interrupted. */
  message: string;
};

type RegistrationRequest = { productId: string; applicationId: string; checked: CheckResult; importKey: string };

/** Sends a checked file in batches. Registered devices stay registered if a later batch fails. */
export const useRegistration = () => {
  const client = useQueryClient();
  const [registration, setRegistration] = useState<Registration>();
  const request = useRef<RegistrationRequest>(undefined);
  const cancelled = useRef(false);
  // The page asks before it is left during a registration. Leaving it cancels the registration.
  useEffect(
    () => () => {
      cancelled.current = true;
    },
    [],
  );
  const change = (next: (before: Registration) => Partial<Registration>) =>
    setRegistration((before) => before && { ...before, ...next(before) });

  const run = async ({ checked: { devices }, ...owner }: RegistrationRequest, from: number) => {
    for (let index = from; index < devices.length; index += REGISTER_MAX) {
      if (cancelled.current) return change(() => ({ state: 'cancelled' }));
      const batch = devices.slice(index, index + REGISTER_MAX);
      try {
        const sent = { ...owner, devices: batch.map(({ line: _line, ...device }) => device) };
        const answer = await send(deviceCalls.registerDevices, sent, { as: 'json' });
        const atLine = (row: RejectedRow): RejectedRow => ({ ...row, index: batch[row.index]?.line ?? row.index });
        change(({ registered, refused }) => ({
          done: index + batch.length,
          registered: [...registered, ...answer.registered],
          refused: [...refused, ...answer.refused.map(atLine)],
        }));
      } catch (error) {
        announceFailure(error);
        const message = error instanceof Error ? error.message : String(error);
        return change(() => ({ state: 'interrupted', message }));
      }
    }
    change(() => ({ state: 'ended' }));
  };

  const runAndRefresh = async (next: RegistrationRequest, from: number) => {
    cancelled.current = false;
    await run(next, from);
    for (const call of [deviceCalls.queryDeviceList, ...listsWithDeviceCount])
      void client.invalidateQueries({ queryKey: [keyOf(call)[0]] });
  };

  return {
    registration,
    start: (params: Omit<RegistrationRequest, 'importKey'>) => {
      const next = { ...params, importKey: randomDeviceId() };
      request.current = next;
      const { total, valid, refused } = params.checked;
      const leftOut = total - valid;
      setRegistration({ total, leftOut, done: 0, registered: [], refused, state: 'running', message: '' });
      void runAndRefresh(next, 0);
    },
    cancel: () => {
      cancelled.current = true;
      change(({ state }) => ({ state: state === 'running' ? 'cancelling' : state }));
    },
    resume: () => {
      if (!request.current || !registration) return;
      change(() => ({ state: 'running', message: '' }));
      void runAndRefresh(request.current, registration.done);
    },
    reset: () => setRegistration(undefined),
  };
};
