import { deviceCalls, type Output, REGISTER_MAX, type RefusedRow } from '@device-center/contract';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { announceFailure } from '../../../api/feedback.ts';
import { send } from '../../../api/send.ts';
import { keyOf } from '../../../api/use-call.ts';
import { countedElsewhere } from '../list/pending-action.ts';
import { randomDeviceId } from './random-id.ts';

type Checked = Output<typeof deviceCalls.checkDeviceFile>;
type Registered = Output<typeof deviceCalls.registerDevices>['registered'];

export type Registration = {
  /** The rows of the sheet; so many of them (`leftOut`) were refused when it was checked. */
  total: number;
  leftOut: number;
  done: number;
  registered: Registered;
  /** Those of the check too, each with its line. */
  refused: RefusedRow[];
  state: 'running' | 'cancelling' | 'cancelled' | 'interrupted' | 'ended';
  /** Why it was interrupted. */
  message: string;
};

type Order = { productId: string; applicationId: string; checked: Checked; importKey: string };

/** Sends a checked sheet piece by piece; what was registered is kept, whatever happens to the rest. */
export const useRegistration = () => {
  const client = useQueryClient();
  const [registration, setRegistration] = useState<Registration>();
  const order = useRef<Order>(undefined);
  const cancelled = useRef(false);
  // Leaving the page is asked about while it runs; whoever leaves all the same has cancelled it.
  useEffect(
    () => () => {
      cancelled.current = true;
    },
    [],
  );
  const change = (next: (before: Registration) => Partial<Registration>) =>
    setRegistration((before) => before && { ...before, ...next(before) });

  const run = async ({ checked: { devices }, ...owner }: Order, from: number) => {
    for (let index = from; index < devices.length; index += REGISTER_MAX) {
      if (cancelled.current) return change(() => ({ state: 'cancelled' }));
      const piece = devices.slice(index, index + REGISTER_MAX);
      try {
        const sent = { ...owner, devices: piece.map(({ line: _line, ...device }) => device) };
        const answer = await send(deviceCalls.registerDevices, sent, { as: 'json' });
        const atLine = (row: RefusedRow): RefusedRow => ({ ...row, index: piece[row.index]?.line ?? row.index });
        change(({ registered, refused }) => ({
          done: index + piece.length,
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

  const begin = async (next: Order, from: number) => {
    cancelled.current = false;
    await run(next, from);
    for (const call of [deviceCalls.queryDeviceList, ...countedElsewhere])
      void client.invalidateQueries({ queryKey: [keyOf(call)[0]] });
  };

  return {
    registration,
    start: (asked: Omit<Order, 'importKey'>) => {
      const next = { ...asked, importKey: randomDeviceId() };
      order.current = next;
      const { total, valid, refused } = asked.checked;
      const leftOut = total - valid;
      setRegistration({ total, leftOut, done: 0, registered: [], refused, state: 'running', message: '' });
      void begin(next, 0);
    },
    cancel: () => {
      cancelled.current = true;
      change(({ state }) => ({ state: state === 'running' ? 'cancelling' : state }));
    },
    resume: () => {
      if (!order.current || !registration) return;
      change(() => ({ state: 'running', message: '' }));
      void begin(order.current, registration.done);
    },
    forget: () => setRegistration(undefined),
  };
};
