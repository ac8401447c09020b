import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const root = new URL('../../../../', import.meta.url);
export const ROOT = fileURLToPath(root);
/** A file of the repository; undefined when there is none. */
export const readFile = (path: string): string | undefined => {
  try {
    return readFileSync(new URL(path, root), 'utf8');
  } catch {
    return undefined;
  }
};

const pagesIn = (folder: string): string[] =>
  readdirSync(new URL(folder, root))
    .filter((name) => name.endsWith('.md'))
    .map((name) => `${folder}/${name}`);

/** The docs that show commands: for users, contributors and device makers. */
const pagePaths = (): string[] => [
  'README.md',
  'CONTRIBUTING.md',
  ...pagesIn('docs'),
  ...readdirSync(new URL('packages', root))
    .map((name) => `packages/${name}/README.md`)
    .filter((path) => readFile(path) !== undefined),
];

type Block = { kind: string; text: string };

export const blocksOf = (page: string): Block[] =>
  [...page.matchAll(/^```(\w*)\n([\s\S]*?)\n```$/gm)].map(([, kind = '', text = '']) => ({ kind, text }));

const PROGRAM =
  /^(?:[A-Z_]+=\S* )*(?:npm|npx|node|curl|git|docker|kubectl|cc|python3?|bash|sh|sudo|apt-get|apt|openssl|psql|sqlite3|systemctl|rabbitmq\w*|emqx|caddy|nginx|haproxy|ulimit|mosquitto\w*|\.{0,2}\/\S+|docs\/examples\/\S+|[A-Z]\w*_URL=\S+) /;

/** A program name without arguments is no command, nor is a line of a drawing or a comment of TypeScript. */
const isCommand = (text: string): boolean => PROGRAM.test(text) && !text.includes('─') && !text.startsWith('//');

/** Shell lines without comments; open quotes and a trailing backslash continue a line. */
const linesOfShell = (text: string): string[] => {
  const lines: string[] = [];
  let line = '';
  let quote = '';
  let comment = false;
  for (const [at, sign] of [...text, '\n'].entries()) {
    if (sign === '\n' && !quote && !line.endsWith('\\')) {
      lines.push(line.trim());
      line = '';
      comment = false;
    } else if (!quote && sign === '#' && /^\s?$/.test(text[at - 1] ?? '')) comment = true;
    else if (!comment) {
      if (sign === quote) quote = '';
      else if (!quote && /['"]/.test(sign)) quote = sign;
      line += sign;
    }
  }
  return lines.filter((one) => one !== '');
};

const commandsOf = (page: string): string[] => {
  const blocks = blocksOf(page);
  const inShell = blocks.filter(({ kind }) => /^(sh|bash|shell|console)$/.test(kind));
  const unnamed = blocks.filter(({ kind }) => kind === '').flatMap(({ text }) => text.split('\n'));
  const prose = page.replaceAll(/^```[\s\S]*?^```$/gm, '');
  const inline = [...prose.matchAll(/`([^`\n]+)`/g)].map(([, text = '']) => text);
  return [...inShell.flatMap(({ text }) => linesOfShell(text)), ...[...unnamed, ...inline].filter(isCommand)];
};

const pages = pagePaths().map((path) => ({ path, text: readFile(path) ?? '' }));

/** Every command of the docs, with the pages that show it. */
export const commandsOfPages = (): Map<string, string[]> => {
  const found = new Map<string, string[]>();
  for (const { path, text } of pages)
    for (const command of commandsOf(text)) {
      const where = found.get(command) ?? [];
      if (!where.includes(path)) found.set(command, [...where, path]);
    }
  return found;
};

/** Kinds of blocks that other tests check, and drawings. */
const OTHERWISE = /^(sh|json|text|ts|mermaid|http)$/;

/** Configurations for other programs in the docs: brokers, balancers, SQL. */
export const configurationsOfPages = (): string[] =>
  pages.flatMap(({ path, text }) =>
    blocksOf(text)
      .filter(({ kind, text: block }) => (kind === '' ? /^frontend /m.test(block) : !OTHERWISE.test(kind)))
      .map(({ kind }) => `${path} ${kind || 'haproxy'}`),
  );

export const blockOf = (path: string, kind: string): string =>
  blocksOf(readFile(path) ?? '').find((block) => block.kind === kind)?.text ?? '';
