import type { MockDetails } from '@device-center/contract';
import type { Mock, PendingCall } from '@device-center/virtual-device';
import { createContext, useContext } from 'react';

/** What every part of the control panel knows: who the device is, and how its session stands. */
export type Panel = {
  details: MockDetails;
  /** Another one after the model, the secret or the children have changed: what runs on it must follow. */
  mock: Mock;
  online: boolean;
  /** Children that are mounted, or on their way. */
  mounted: readonly string[];
  /** For whom the forms speak: the device itself, or one of its children. */
  chosen: string;
  choose: (deviceId: string) => void;
  /** Commands that wait for an answer by hand. */
  pending: readonly PendingCall[];
};

const context = createContext<Panel | null>(null);

export const PanelProvider = context.Provider;

export const usePanel = (): Panel => {
  const panel = useContext(context);
  if (!panel) throw new Error('outside the control panel');
  return panel;
};
