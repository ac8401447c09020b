import { type Output, personalCalls } from '@device-center/contract';
import type { ReactNode } from 'react';
import { useSession } from '../../api/session.ts';
import { useCall } from '../../api/use-call.ts';
import { Loaded } from '../../ui/detail-page.tsx';

export type Person = Output<typeof personalCalls.getPersonalMessage>;

/** A page about oneself, from the hub: local storage may be older than what another session changed. */
export const WithPerson = ({ children }: { children: (person: Person) => ReactNode }) => {
  // Not after a cancelled account's session is gone: the page stands for a moment longer than that.
  const query = useCall(personalCalls.getPersonalMessage, {}, { enabled: useSession() !== null });
  return <Loaded<Person> query={query}>{children}</Loaded>;
};
