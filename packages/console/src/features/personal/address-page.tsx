import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { announceSuccess } from '../../api/feedback.ts';
import { updateSession } from '../../api/session.ts';
import { PageHeader } from '../../ui/page-header.tsx';
import { Steps } from '../../ui/steps.tsx';
import { type AddressKind, addressKinds } from './address-kind.ts';
import { BindStep } from './bind-step.tsx';
import './personal.css';
import { personPaths } from '../../paths.ts';
import { ProveStep } from './prove-step.tsx';

const STEPS = ['stepProve', 'stepNew'] as const;

type AddressPageProps = { kind: AddressKind; bound: Record<AddressKind, string> };

/** Changing an address proves the present one first, or the password; binding the first one asks for the password. */
export const AddressPage = ({ kind, bound }: AddressPageProps) => {
  const { t } = useTranslation(['personal', 'common']);
  const navigate = useNavigate();
  const { texts } = addressKinds[kind];
  // As it was on arrival: once the new one is bound, the page must not turn into another while it leaves.
  const [arrived] = useState(bound);
  const changing = arrived[kind] !== '';
  const [step, setStep] = useState(changing ? 0 : 1);
  const [withPassword, setWithPassword] = useState(!changing);
  const [refused, setRefused] = useState('');

  const goOn = (byPassword: boolean) => {
    setRefused('');
    setWithPassword(byPassword);
    setStep(1);
  };

  const leave = (address: string) => {
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
            {...{ kind, bound: arrived, refused }}
            onProven={() => goOn(false)}
            onPassword={() => goOn(true)}
          />
        ) : (
          <BindStep
            kind={kind}
            present={arrived[kind]}
            withPassword={withPassword}
            onBound={leave}
            onUnproven={(message) => {
              setRefused(message);
              setStep(0);
            }}
          />
        )}
      </section>
    </>
  );
};
