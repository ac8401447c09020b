import { useSearch } from '@tanstack/react-router';
import { lazy, Suspense, useState } from 'react';
import { LoadingCard } from '../../../ui/detail-page.tsx';
import type { Credentials } from './credentials.ts';
import { RegisterOne } from './register-one.tsx';
import { registerSearch } from './register-search.ts';
import './register.css';

const RegisterMany = lazy(() => import('./register-many.tsx'));
const CredentialsView = lazy(() => import('./credentials-view.tsx'));

const RegisterPage = () => {
  const { from } = registerSearch.parse(useSearch({ strict: false }));
  // In memory alone: the secret is answered once, and neither address nor storage may keep it.
  const [made, setMade] = useState<Credentials>();
  return (
    <Suspense fallback={<LoadingCard />}>
      {made && <CredentialsView key={made.deviceId} made={made} onAnother={() => setMade(undefined)} />}
      {!made && from === undefined && <RegisterOne onMade={setMade} />}
      {!made && from === 'file' && <RegisterMany />}
    </Suspense>
  );
};

export default RegisterPage;
