import { Navigate } from '@tanstack/react-router';
import { useState } from 'react';
import { AddressPage } from './address-page.tsx';
import { paths } from './paths.ts';
import { type Person, WithPerson } from './with-person.tsx';

/** Whoever has a phone changes it, which takes a proof of the present one. */
const BindPhone = ({ person: { email, phone } }: { person: Person }) => {
  const [hadPhone] = useState(phone !== '');
  return hadPhone ? <Navigate to={paths.phone} replace /> : <AddressPage kind="phone" bound={{ email, phone }} />;
};

const BindPhonePage = () => <WithPerson>{(person) => <BindPhone person={person} />}</WithPerson>;

export default BindPhonePage;
