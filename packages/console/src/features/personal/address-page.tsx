import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { announceSuccess } from '../../api/feedback.ts';
import { updateSession } from '../../api/session.ts';
import { PageHeader } from '../../ui/page-header.tsx';
import { useNavigate } from '../../ui/routing.ts';
import { Steps } from '../../ui/steps.tsx';
import { type AddressKind, addressKinds } from './address-kind.ts';
import { BindStep } from './bind-step.tsx';
import './personal.css';
import { personPaths } from '../../paths.ts';
import { ProveStep } from './prove-step.tsx';

const STEPS = ['stepProve', 'stepNew'] as const;

type AddressPageProps = { kind: AddressKind; bound: Record<AddressKind, string> };

/** Changing an address requires a code to a bound one, or the password. Binding the first requires the password. */
export const AddressPage = ({ kind, bound }: AddressPageProps) => {
  const { t } = useTranslation(['personal', 'common']);
  const navigate = useNavigate();
  const { texts } = addressKinds[kind];
  // The addresses on mount: binding a new one must not switch the mode of the page while it navigates away.
  const [initialBound] = useState(bound);
  const changing = initialBound[kind] !== '';
  const [step, setStep] = useState(changing ? 0 : 1);
  const [withPassword, setWithPassword] = useState(!changing);
  const [proofError, setProofError] = useState('');

  const showBindStep = (byPassword: boolean) => {
    setProofError('');
    setWithPassword(byPassword);
    setStep(1);
  };

  const finish = (address: string) => {
    updateSession({ [kind]: address });
    announceSuccess(t(texts.saved));
    void navigate({ to: personPaths.center });
  };

  return (
    <>
      <PageHeader title={t(changing ? texts.change : texts.bind)} backTo={personPaths.center} />
      <section className="dc-card dc-person-form">
        {changing && <Steps names={STEPS.map((name) => t(`personal:${name}`))} current={step} />}
        {step === 0 ? (
          <ProveStep
            {...{ kind, bound: initialBound, proofError }}
            onProven={() => showBindStep(false)}
            onPassword={() => showBindStep(true)}
          />
        ) : (
          <BindStep
            kind={kind}
            present={initialBound[kind]}
            withPassword={withPassword}
            onBound={finish}
            onUnproven={(message) => {
              setProofError(message);
              setStep(0);
            }}
          />
        )}
      </section>
    </>
  );
};
