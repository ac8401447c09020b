import { Suspense, useState } from 'react';
import { useFirstProduct } from '../../../api/product-choices.ts';
import { LoadingCard } from '../../../ui/detail-page.tsx';
import { lazyPart } from '../../../ui/lazy-part.tsx';
import { usePageSearch } from '../../../ui/routing.ts';
import type { Credentials } from './credentials.ts';
import { RegisterOne } from './register-one.tsx';
import { registerSearch } from './register-search.ts';
import './register.css';

const RegisterMany = lazyPart(() => import('./register-many.tsx'));
const CredentialsView = lazyPart(() => import('./credentials-view.tsx'));

const RegisterPage = () => {
  const { from, productId } = usePageSearch(registerSearch);
  const first = useFirstProduct(productId);
  // Only in memory: the hub returns the secret once, and neither the URL nor storage may hold it.
  const [credentials, setCredentials] = useState<Credentials>();
  if (first === undefined) return <LoadingCard />;
  return (
    <Suspense fallback={<LoadingCard />}>
      {credentials && (
        <CredentialsView
          key={credentials.deviceId}
          credentials={credentials}
          onAnother={() => setCredentials(undefined)}
        />
      )}
      {!credentials && from === undefined && <RegisterOne product={first} onRegistered={setCredentials} />}
      {!credentials && from === 'file' && <RegisterMany product={first} />}
    </Suspense>
  );
};

export default RegisterPage;
