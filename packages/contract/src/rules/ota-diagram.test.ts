import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { taskDiagram } from './ota-diagram.ts';

// Spec 4.28
it('the docs show the table that hub and console go by', () => {
  const page = readFileSync(new URL('../../../../docs/ota.md', import.meta.url), 'utf8');
  expect(page).toContain(`\`\`\`mermaid\n${taskDiagram()}\n\`\`\``);
});
