import { type Output, personalCalls } from '@device-center/contract';
import type { ReactNode } from 'react';
import { useSession } from '../../api/session.ts';
import { useCall } from '../../api/use-call.ts';
import { Loaded } from '../../ui/detail-page.tsx';

export type Person = Output<typeof personalCalls.getPersonalMessage>;

/** Loads the user's own data from the hub: local storage misses changes of other sessions. */
export const WithPerson = ({ children }: { children: (person: Person) => ReactNode }) => {
  // Disabled without a session: the page stays mounted for a moment after the account is cancelled.
  const query = useCall(personalCalls.getPersonalMessage, {}, { enabled: useSession() !== null });
  return <Loaded<Person> query={query}>{children}</Loaded>;
};
