// Asks the registry whether a fault is known of a library that the product is installed with.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { runNpm } from './npm.mjs';
import { root } from './root.mjs';

// Short, so that the check does not delay work without a network.
const ASK = [
  'audit',
  '--json',
  '--package-lock-only',
  '--loglevel=silent',
  '--fetch-retries=0',
  '--fetch-timeout=10000',
];

const parse = (text) => {
  try {
    return JSON.parse(text);
  } catch {
    return { message: text.trim() };
  }
};

const titlesOf = ({ via }) => via.map((cause) => (typeof cause === 'string' ? `through ${cause}` : cause.title));

/** What only tests use does not come with the product. */
const comesAlong = ({ nodes }, packages) => nodes.some((path) => !packages[path]?.dev);

export const checkKnownFaults = async (folder = root) => {
  const { output } = await runNpm(ASK, { cwd: folder, capture: true });
  const { vulnerabilities, message } = parse(output);
  if (!vulnerabilities) return { code: 0, output: '', notAsked: `the registry does not say (${message})` };
  const { packages } = JSON.parse(readFileSync(join(folder, 'package-lock.json'), 'utf8'));
  const lines = Object.values(vulnerabilities)
    .filter((found) => comesAlong(found, packages))
    .map((found) => `${found.name}, ${found.severity}: ${titlesOf(found).join('; ')}\n`);
  return { code: lines.length > 0 ? 1 : 0, output: lines.join('') };
};
