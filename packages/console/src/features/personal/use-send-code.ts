import { accountCalls, CODE_RESEND_SECONDS, type CodePurpose } from '@device-center/contract';
import { useState } from 'react';
import type { ApiError } from '../../api/api-error.ts';
import { useCallMutation } from '../../api/use-call.ts';
import { useCountdown } from '../../ui/countdown.ts';
import type { AddressKind } from './address-kind.ts';

/** The hub tells the wait in its sentence; there is no other field for it. */
const secondsIn = ({ code, message }: ApiError): number =>
  code === 'CODE_TOO_SOON' ? Number(/\d+/.exec(message)?.[0] ?? 0) : 0;

/** Sends codes of one purpose; remembers where the last one went and when the next may. */
export const useSendCode = (purpose: CodePurpose) => {
  const [sentTo, setSentTo] = useState('');
  const [seconds, startCountdown] = useCountdown();
  const byMail = useCallMutation(accountCalls.getVerificationCode);
  const byPhone = useCallMutation(accountCalls.getPhoneCode);
  const sendTo = (kind: AddressKind, address: string, options: { onError?: (error: ApiError) => void } = {}) => {
    const outcome = {
      onSuccess: () => {
        setSentTo(address);
        startCountdown(CODE_RESEND_SECONDS);
      },
      onError: (error: ApiError) => {
        const wait = secondsIn(error);
        // A code that went there a moment ago, from this page before a reload, still counts.
        if (wait > 0) {
          setSentTo(address);
          startCountdown(wait);
        }
        options.onError?.(error);
      },
    };
    if (kind === 'email') byMail.mutate({ email: address, type: purpose }, outcome);
    else byPhone.mutate({ phone: address, type: purpose }, outcome);
  };
  return {
    sentTo,
    /** The hub counts by address: another one need not wait. */
    secondsFor: (address: string) => (address === sentTo ? seconds : 0),
    sending: byMail.isPending || byPhone.isPending,
    sendTo,
  };
};

export type CodeSender = ReturnType<typeof useSendCode>;
