import { after } from './platform.ts';

export type Listener<Payload> = (payload: Payload) => void;

export type Emitter<Events> = {
  /** Returns a function that removes the listener. */
  on: <Name extends keyof Events>(name: Name, listener: Listener<Events[Name]>) => () => void;
  emit: <Name extends keyof Events>(name: Name, payload: Events[Name]) => void;
};

export const createEmitter = <Events>(): Emitter<Events> => {
  const listeners = new Map<keyof Events, Set<Listener<never>>>();
  return {
    on: (name, listener) => {
      const registered = listeners.get(name) ?? new Set();
      listeners.set(name, registered.add(listener));
      return () => void registered.delete(listener);
    },
    emit: (name, payload) => {
      for (const listener of listeners.get(name) ?? [])
        try {
          (listener as Listener<typeof payload>)(payload);
        } catch (error) {
          // Rethrow from a timer: an error in a listener must not interrupt the protocol.
          after(0, () => {
            throw error;
          });
        }
    },
  };
};
