// npm run sbom: prints the product's dependencies as CycloneDX JSON.
import { spawnSync } from 'node:child_process';
import { root } from './lib/root.mjs';
import { fail } from './lib/run.mjs';

const { status, stdout } = spawnSync('npm', ['sbom', '--sbom-format', 'cyclonedx'], {
  cwd: root,
  encoding: 'utf8',
  stdio: ['ignore', 'pipe', 'inherit'],
  maxBuffer: 2 ** 28,
  shell: process.platform === 'win32',
});
if (status !== 0) fail('npm sbom failed; the reason stands above.');

// Not `--omit dev`: that also omits packages that both tests and the product depend on.
const forTests = ({ properties = [] }) =>
  properties.some(({ name, value }) => name === 'cdx:npm:package:development' && value === 'true');
const bill = JSON.parse(stdout);
const left = new Set(bill.components.filter(forTests).map((component) => component['bom-ref']));
const isKept = (reference) => !left.has(reference);
const kept = {
  ...bill,
  components: bill.components.filter((component) => isKept(component['bom-ref'])),
  dependencies: bill.dependencies
    .filter(({ ref }) => isKept(ref))
    .map(({ ref, dependsOn }) => ({ ref, dependsOn: dependsOn.filter(isKept) })),
};
console.log(JSON.stringify(kept, null, 2));
