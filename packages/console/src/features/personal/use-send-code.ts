import { accountCalls, CODE_RESEND_SECONDS, type CodePurpose } from '@device-center/contract';
import { useState } from 'react';
import type { ApiError } from '../../api/api-error.ts';
import { useCallMutation } from '../../api/use-call.ts';
import { useCountdown } from '../../ui/countdown.ts';
import type { AddressKind } from './address-kind.ts';

/** The hub sends the remaining wait only inside the message text. */
const secondsIn = ({ code, message }: ApiError): number =>
  code === 'CODE_TOO_SOON' ? Number(/\d+/.exec(message)?.[0] ?? 0) : 0;

/** Sends codes for one purpose. Remembers the last recipient and the wait before the next code. */
export const useSendCode = (purpose: CodePurpose) => {
  const [sentTo, setSentTo] = useState('');
  const [seconds, startCountdown] = useCountdown();
  const byMail = useCallMutation(accountCalls.getVerificationCode);
  const byPhone = useCallMutation(accountCalls.getPhoneCode);
  const sendTo = (kind: AddressKind, address: string, options: { onError?: (error: ApiError) => void } = {}) => {
    const callbacks = {
      onSuccess: () => {
        setSentTo(address);
        startCountdown(CODE_RESEND_SECONDS);
      },
      onError: (error: ApiError) => {
        const wait = secondsIn(error);
        // A code was sent to this address a moment ago, for example before a reload, and is still valid.
        if (wait > 0) {
          setSentTo(address);
          startCountdown(wait);
        }
        options.onError?.(error);
      },
    };
    if (kind === 'email') byMail.mutate({ email: address, type: purpose }, callbacks);
    else byPhone.mutate({ phone: address, type: purpose }, callbacks);
  };
  return {
    sentTo,
    /** The hub limits codes per address: another address need not wait. */
    secondsFor: (address: string) => (address === sentTo ? seconds : 0),
    sending: byMail.isPending || byPhone.isPending,
    sendTo,
  };
};

export type CodeSender = ReturnType<typeof useSendCode>;
