import { createContext, useContext } from 'react';

export const ReloadContext = createContext<() => void>(() => undefined);

/** Spec §2: the root view can be remounted without a browser reload. */
export const useReloadView = (): (() => void) => useContext(ReloadContext);
