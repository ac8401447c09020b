import { createContext, useContext } from 'react';

export const ReloadContext = createContext<() => void>(() => undefined);

/** Spec §2: the root view can reload itself, without the browser doing so. */
export const useReloadView = (): (() => void) => useContext(ReloadContext);
