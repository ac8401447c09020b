/**
 * Loaded before a hub (`NODE_OPTIONS=--import=…`), in place of the name servers of the machine: a name of
 * TURNING_NAMES (JSON: the answers of each name, in their order) has its next address each time it is looked up, by
 * whatever way, and its last one from then on. All other names are looked up as ever.
 */
import dns from 'node:dns';
import { syncBuiltinESMExports } from 'node:module';

const answers = new Map(Object.entries(JSON.parse(process.env.TURNING_NAMES ?? '{}')));

const next = (name) => {
  const list = answers.get(name);
  const address = list.length > 1 ? list.shift() : list[0];
  return { address, family: 4 };
};

const { lookup } = dns;
const lookupPromise = dns.promises.lookup;

dns.lookup = (name, options, callback = options) => {
  if (!answers.has(name)) return lookup(name, options, callback);
  const found = next(name);
  if (options?.all) callback(null, [found]);
  else callback(null, found.address, found.family);
};
dns.promises.lookup = async (name, options) => {
  if (!answers.has(name)) return lookupPromise(name, options);
  const found = next(name);
  return options?.all ? [found] : found;
};
syncBuiltinESMExports();
