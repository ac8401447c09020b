/** Settings that had another name in earlier versions. The former name still works. */
const formerNames: Record<string, string> = {
  SIDES: 'PROCESSES',
  DEVICE_SIDE_URL: 'DEVICE_PROCESS_URL',
  HINTS: 'NOTIFICATIONS',
};

/** A setting under its present name takes precedence. */
export const withPresentNames = (env: NodeJS.ProcessEnv): NodeJS.ProcessEnv => {
  const renamed = Object.entries(formerNames).flatMap(([former, present]) =>
    env[former] === undefined ? [] : [[present, env[former]]],
  );
  return { ...Object.fromEntries(renamed), ...env };
};
