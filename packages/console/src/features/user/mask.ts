const STARS = '****';

/** 138****5678: enough to distinguish numbers, not enough to call. */
export const maskPhone = (phone: string): string =>
  phone.length < 8 ? phone : `${phone.slice(0, 3)}${STARS}${phone.slice(-4)}`;

/** a****@example.com */
export const maskEmail = (email: string): string => {
  const at = email.lastIndexOf('@');
  return at < 1 ? email : `${email.slice(0, 1)}${STARS}${email.slice(at)}`;
};
