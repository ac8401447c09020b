import { useSearch } from '@tanstack/react-router';
import { Suspense, useState } from 'react';
import { useFirstProduct } from '../../../api/product-choices.ts';
import { LoadingCard } from '../../../ui/detail-page.tsx';
import { lazyPart } from '../../../ui/lazy-part.tsx';
import type { Credentials } from './credentials.ts';
import { RegisterOne } from './register-one.tsx';
import { registerSearch } from './register-search.ts';
import './register.css';

const RegisterMany = lazyPart(() => import('./register-many.tsx'));
const CredentialsView = lazyPart(() => import('./credentials-view.tsx'));

const RegisterPage = () => {
  const { from, productId } = registerSearch.parse(useSearch({ strict: false }));
  const first = useFirstProduct(productId);
  // In memory alone: the secret is answered once, and neither address nor storage may keep it.
  const [made, setMade] = useState<Credentials>();
  if (first === undefined) return <LoadingCard />;
  return (
    <Suspense fallback={<LoadingCard />}>
      {made && <CredentialsView key={made.deviceId} made={made} onAnother={() => setMade(undefined)} />}
      {!made && from === undefined && <RegisterOne product={first} onMade={setMade} />}
      {!made && from === 'file' && <RegisterMany product={first} />}
    </Suspense>
  );
};

export default RegisterPage;
