/** What is wrong with a reference to a test, such as `server/login › lets one in`; nothing where the test is there. */
export const problemOfTest: (
  proof: { test: string; has?: string[] },
  read: (path: string) => string | undefined,
) => string | undefined;
