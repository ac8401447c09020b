import { run } from './run.mjs';

/** The npm that runs this script, or the one on the path. */
export const runNpm = (args, options = {}) => {
  const script = process.env.npm_execpath;
  if (script?.endsWith('.js')) return run(process.execPath, [script, ...args], options);
  return run('npm', args, { shell: process.platform === 'win32', ...options });
};
