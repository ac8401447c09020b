import type { MockDetails } from '@device-center/contract';
import type { Mock, PendingCall } from '@device-center/virtual-device';
import { createContext, useContext } from 'react';

/** Shared state of the control panel: the device and its session. */
export type Panel = {
  details: MockDetails;
  /** Replaced when the model, the secret or the children change. */
  mock: Mock;
  online: boolean;
  /** Children that are mounted or being mounted. */
  mounted: readonly string[];
  /** The device that the forms send for: the device itself or one of its children. */
  chosen: string;
  choose: (deviceId: string) => void;
  /** Commands that wait for a manual response. */
  pending: readonly PendingCall[];
};

const context = createContext<Panel | null>(null);

export const PanelProvider = context.Provider;

export const usePanel = (): Panel => {
  const panel = useContext(context);
  if (!panel) throw new Error('outside the control panel');
  return panel;
};
