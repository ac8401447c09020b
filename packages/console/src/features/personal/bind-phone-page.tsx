import { useState } from 'react';
import { personPaths } from '../../paths.ts';
import { Navigate } from '../../ui/routing.ts';
import { AddressPage } from './address-page.tsx';
import { type Person, WithPerson } from './with-person.tsx';

/** A user with a phone is redirected to the page that changes it, which verifies the current one first. */
const BindPhone = ({ person: { email, phone } }: { person: Person }) => {
  const [hadPhone] = useState(phone !== '');
  return hadPhone ? <Navigate to={personPaths.phone} replace /> : <AddressPage kind="phone" bound={{ email, phone }} />;
};

const BindPhonePage = () => <WithPerson>{(person) => <BindPhone person={person} />}</WithPerson>;

export default BindPhonePage;
