import { after } from './runtime.ts';

export type Listener<Payload> = (payload: Payload) => void;

export type Emitter<Events> = {
  /** Answers how to stop listening. */
  on: <Name extends keyof Events>(name: Name, listener: Listener<Events[Name]>) => () => void;
  emit: <Name extends keyof Events>(name: Name, payload: Events[Name]) => void;
};

export const createEmitter = <Events>(): Emitter<Events> => {
  const listeners = new Map<keyof Events, Set<Listener<never>>>();
  return {
    on: (name, listener) => {
      const those = listeners.get(name) ?? new Set();
      listeners.set(name, those.add(listener));
      return () => void those.delete(listener);
    },
    emit: (name, payload) => {
      for (const listener of listeners.get(name) ?? [])
        try {
          (listener as Listener<typeof payload>)(payload);
        } catch (error) {
          // A listener's fault is its own: the conversation with the hub goes on.
          after(0, () => {
            throw error;
          });
        }
    },
  };
};
