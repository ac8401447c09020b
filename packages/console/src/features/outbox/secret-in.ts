/** The hub's wording in both languages. The password is matched before the code: an account can be six digits. */
const PASSWORD = /(?:初始密码：|Initial password: )(\S+)/;
const CODE = /(?<!\d)\d{6}(?!\d)/;
/** The mask that replaces a secret once its message is delivered. */
const MASK = /\*{6}/;

export type Secret = { kind: 'password' | 'code'; value: string };

export const isDelivered = (body: string): boolean => MASK.test(body);

/** The code or password in a message, so that it can be copied without the rest. */
export const secretIn = (body: string): Secret | undefined => {
  if (isDelivered(body)) return undefined;
  const password = PASSWORD.exec(body)?.[1];
  if (password !== undefined) return { kind: 'password', value: password };
  const code = CODE.exec(body)?.[0];
  return code === undefined ? undefined : { kind: 'code', value: code };
};
