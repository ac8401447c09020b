import { accountCalls, type Sent } from '@device-center/contract';
import { type FormEvent, useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { ApiError } from '../../api/api-error.ts';
import { takeReturnPath } from '../../api/return-path.ts';
import { saveSession, storedUsername } from '../../api/session.ts';
import { useCallMutation } from '../../api/use-call.ts';
import { landingPath, recoverPath } from '../../paths.ts';
import { useCountdown } from '../../ui/countdown.ts';
import { useOnline } from '../../ui/media.ts';
import { PlainField, problemOf } from '../../ui/plain-field.tsx';
import { Link, pathFrom, useNavigate, usePageSearch } from '../../ui/routing.ts';
import { loginSearch } from './login-search.ts';
import { PublicFrame } from './public-frame.tsx';
import { type Reveal, RevealedPage } from './revealed-page.tsx';

type Credentials = Sent<typeof accountCalls.login>;
const rules = accountCalls.login.input.shape;
const fieldsOfLogin = ['username', 'password'] as const;
const noProblems: Credentials = { username: '', password: '' };

/** The hub sends the remaining wait only inside the message text. */
const secondsIn = (text: string): number => Number(/\d+/.exec(text)?.[0] ?? 0);

const LoginPage = () => {
  const { t } = useTranslation(['account', 'common']);
  const navigate = useNavigate();
  const { redirect } = usePageSearch(loginSearch);
  const online = useOnline();
  const [wait, startWait] = useCountdown();
  const [values, setValues] = useState<Credentials>(() => ({ username: storedUsername(), password: '' }));
  const [problems, setProblems] = useState(noProblems);
  const [loginError, setLoginError] = useState('');
  const [remembered] = useState(() => storedUsername() !== '');

  useEffect(() => {
    document.title = `${t('account:loginTitle')} - ${t('common:productTitle')}`;
  }, [t]);

  const [reveals, setReveals] = useState<Reveal[]>([]);
  const enter = (userId: string) => {
    const url = redirect ?? takeReturnPath(userId);
    void navigate({ to: url === undefined ? landingPath : pathFrom(url), replace: true });
  };
  const login = useCallMutation(accountCalls.login, {
    onSuccess: (answer) => {
      saveSession(answer);
      if (answer.reveals.length > 0) setReveals(answer.reveals);
      else enter(answer.userId);
    },
  });

  const change = (field: keyof Credentials) => (value: string) => {
    setValues({ ...values, [field]: value });
    setProblems({ ...problems, [field]: problemOf(rules[field], value) });
    setLoginError('');
  };

  const showError = (error: ApiError) => {
    const throttled = error.code === 'LOGIN_THROTTLED';
    if (throttled) startWait(secondsIn(error.message));
    setLoginError(throttled ? '' : error.message);
  };

  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const found = {
      username: problemOf(rules.username, values.username),
      password: problemOf(rules.password, values.password),
    };
    setProblems(found);
    const first = fieldsOfLogin.find((field) => found[field] !== '');
    if (first) return event.currentTarget.querySelector<HTMLInputElement>(`[name=${first}]`)?.focus();
    if (!login.isPending) login.mutate(values, { onError: showError });
  };

  if (login.data && reveals.length > 0) {
    const { userId } = login.data;
    return <RevealedPage reveals={reveals} onContinue={() => enter(userId)} />;
  }

  return (
    <PublicFrame>
      <div className="dc-public-card">
        <h1>{t('account:loginTitle')}</h1>
        <p className="dc-lead">{t('account:loginLead')}</p>
        {!online && <p className="dc-notice dc-notice-warning">{t('account:offline')}</p>}
        <p className="dc-notice" role="alert">
          {wait > 0 ? t('account:slowed', { seconds: wait }) : loginError}
        </p>
        <form noValidate onSubmit={submit}>
          <PlainField
            name="username"
            label={t('account:username')}
            value={values.username}
            problem={problems.username}
            onValue={change('username')}
            autoComplete="username"
            autoFocus={!remembered}
            spellCheck={false}
            autoCapitalize="none"
          />
          <PlainField
            name="password"
            type="password"
            label={t('account:password')}
            value={values.password}
            problem={problems.password}
            onValue={change('password')}
            autoComplete="current-password"
            autoFocus={remembered}
          />
          <button
            type="submit"
            className="dc-button dc-button-block"
            aria-busy={login.isPending}
            disabled={!online || wait > 0 || login.isPending}
          >
            {t('account:logIn')}
          </button>
        </form>
        <p className="dc-public-links">
          <Link to={recoverPath}>{t('account:forgot')}</Link>
        </p>
      </div>
    </PublicFrame>
  );
};

export default LoginPage;
