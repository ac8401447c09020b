/** Loaded on first use: a native library of several MB. */
const argon2 = () => import('@node-rs/argon2');

// argon2id, the library's default; 19 MiB and two passes, as OWASP recommends.
const COST = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };

export const hashPassword = async (password: string): Promise<string> => (await argon2()).hash(password, COST);

let decoy: Promise<string> | undefined;

/** Without a stored hash it verifies against a decoy, so that timing does not reveal whether the account exists. */
export const verifyPassword = async (stored: string | undefined, password: string): Promise<boolean> => {
  decoy ??= hashPassword('nobody has this password');
  const { verify } = await argon2();
  const matches = await verify(stored ?? (await decoy), password);
  return stored !== undefined && matches;
};
