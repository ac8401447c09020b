/** As the hub writes them, in either language. The password first: an account may well be six digits. */
const PASSWORD = /(?:初始密码：|Initial password: )(\S+)/;
const CODE = /(?<!\d)\d{6}(?!\d)/;
/** What the hub puts in the place of a secret that has reached its reader. */
const GONE = /\*{6}/;

export type Secret = { kind: 'password' | 'code'; value: string };

export const isDelivered = (body: string): boolean => GONE.test(body);

/** The part of a message that its reader needs, to be copied by itself. */
export const secretIn = (body: string): Secret | undefined => {
  if (isDelivered(body)) return undefined;
  const password = PASSWORD.exec(body)?.[1];
  if (password !== undefined) return { kind: 'password', value: password };
  const code = CODE.exec(body)?.[0];
  return code === undefined ? undefined : { kind: 'code', value: code };
};
