import { AddressPage } from './address-page.tsx';
import { WithPerson } from './with-person.tsx';

/** Also binds the first e-mail of an account without one. */
const UpdateEmailPage = () => (
  <WithPerson>{({ email, phone }) => <AddressPage kind="email" bound={{ email, phone }} />}</WithPerson>
);

export default UpdateEmailPage;
