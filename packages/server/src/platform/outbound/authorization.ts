type Account = { apiKey: string; username: string; password: string };

/** How the hub names itself over HTTP: by its key, else by its account; undefined where it has neither. */
export const authorizationOf = ({ apiKey, username, password }: Account): string | undefined => {
  if (apiKey !== '') return `Bearer ${apiKey}`;
  return username === '' ? undefined : `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`;
};
