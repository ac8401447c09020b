type Account = { apiKey: string; username: string; password: string };

/** Authorization header of the hub: its API key, else its account; undefined if it has neither. */
export const authorizationOf = ({ apiKey, username, password }: Account): string | undefined => {
  if (apiKey !== '') return `Bearer ${apiKey}`;
  return username === '' ? undefined : `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`;
};
