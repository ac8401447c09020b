const reasons = new Map([
  ['EADDRINUSE', 'is in use by another program'],
  ['EACCES', 'may not be used by this user'],
  ['EADDRNOTAVAIL', 'cannot be opened: HOST is not an address of this machine'],
]);

/** A port that cannot be opened: the message names the setting and the reason. */
export class ListenError extends Error {
  constructor(setting: string, port: number, cause: unknown) {
    const { code, message } = cause as NodeJS.ErrnoException;
    super(`${setting} ${port} ${reasons.get(code ?? '') ?? message}; choose another with ${setting}=…`, { cause });
  }
}
