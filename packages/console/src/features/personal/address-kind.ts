import { fields } from '@device-center/contract';

export type AddressKind = 'email' | 'phone';

/** What differs between e-mail address and phone number; pages and steps are shared. */
export const addressKinds = {
  email: {
    schema: fields.email(),
    input: { inputMode: 'email', autoComplete: 'email' },
    takenCode: 'EMAIL_TAKEN',
    texts: {
      label: 'personal:email',
      noun: 'personal:emailNoun',
      change: 'personal:emailChangeTitle',
      bind: 'personal:emailBindTitle',
      newAddress: 'personal:newEmail',
      repeat: 'personal:repeatEmail',
      mismatch: 'personal:emailMismatch',
      same: 'personal:sameEmail',
      saved: 'personal:emailSaved',
    },
  },
  phone: {
    schema: fields.phone(),
    input: { inputMode: 'numeric', autoComplete: 'tel-national' },
    takenCode: 'PHONE_TAKEN',
    texts: {
      label: 'personal:phone',
      noun: 'personal:phoneNoun',
      change: 'personal:phoneChangeTitle',
      bind: 'personal:phoneBindTitle',
      newAddress: 'personal:newPhone',
      repeat: 'personal:repeatPhone',
      mismatch: 'personal:phoneMismatch',
      same: 'personal:samePhone',
      saved: 'personal:phoneSaved',
    },
  },
} as const;

export const otherKind = (kind: AddressKind): AddressKind => (kind === 'email' ? 'phone' : 'email');
