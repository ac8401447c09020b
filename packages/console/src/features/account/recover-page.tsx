import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { loginPath } from '../../paths.ts';
import { AntdRoot } from '../../ui/antd-root.tsx';
import { useCountdown } from '../../ui/countdown.ts';
import { Link } from '../../ui/routing.ts';
import { Steps } from '../../ui/steps.tsx';
import { PublicFrame } from './public-frame.tsx';
import { AccountStep, CodeStep, DoneStep, PasswordStep } from './recover-steps.tsx';

const STEPS = ['stepAccount', 'stepCode', 'stepPassword', 'stepDone'] as const;

const RecoverPage = () => {
  const { t } = useTranslation(['account', 'common']);
  const [step, setStep] = useState(0);
  const [address, setAddress] = useState('');
  const [code, setCode] = useState('');
  const [codeError, setCodeError] = useState('');
  const countdown = useCountdown();

  useEffect(() => {
    document.title = `${t('account:recoverTitle')} - ${t('common:productTitle')}`;
  }, [t]);

  return (
    <AntdRoot>
      <PublicFrame>
        <div className="dc-public-card dc-wide">
          <h1>{t('account:recoverTitle')}</h1>
          <Steps names={STEPS.map((name) => t(`account:${name}`))} current={step} />
          {step === 0 && (
            <AccountStep
              address={address}
              countdown={countdown}
              onSent={(sentTo) => {
                setAddress(sentTo);
                setCode('');
                setCodeError('');
                setStep(1);
              }}
            />
          )}
          {step === 1 && (
            <CodeStep
              address={address}
              code={code}
              codeError={codeError}
              countdown={countdown}
              onBack={() => setStep(0)}
              onCode={(entered) => {
                setCode(entered);
                setCodeError('');
              }}
              onNext={() => setStep(2)}
            />
          )}
          {step === 2 && (
            <PasswordStep
              address={address}
              code={code}
              onBack={() => setStep(1)}
              onDone={() => setStep(3)}
              onCodeWrong={(message) => {
                setCode('');
                setCodeError(message);
                setStep(1);
              }}
            />
          )}
          {step === 3 ? (
            <DoneStep />
          ) : (
            <p className="dc-public-links">
              <Link to={loginPath}>{t('account:backToLogin')}</Link>
            </p>
          )}
        </div>
      </PublicFrame>
    </AntdRoot>
  );
};

export default RecoverPage;
