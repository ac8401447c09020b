import { fileURLToPath } from 'node:url';
import { createCache, StyleProvider } from '@ant-design/cssinjs';
import { ConfigProvider } from 'antd';
import { createElement as h } from 'react';
import { renderToString } from 'react-dom/server';
import type { Plugin } from 'vite';
import { themeOf } from '../src/ui/theme.ts';
import { AntdSamples } from './antd-samples.tsx';

type Style = { css: string; order: number };
type Node = { type: string; start: number; end: number; [key: string]: unknown };

const STYLE_MODULE = /[\\/]antd[\\/]es[\\/].*[\\/]style([\\/][^\\/]+)?\.js$/;
/** Every style module needs it, so what all parts share comes before any of them. */
const SHARED_MODULE = /[\\/]antd[\\/]es[\\/]theme[\\/]util[\\/]genStyleUtils\.js$/;
/** It has its text by itself, and would add it at the first icon. */
const ICON_MODULE = /[\\/]@ant-design[\\/]icons[\\/]es[\\/]renderUtils\.js$/;
const ICON_ORDER = -1_000;
const MAKERS = ['genStyleHooks', 'genSubStyleComponent', 'genComponentStyleHook'];
/** Only where a theme asks for wireframes. */
const NEVER_SHOWN = ['Pagination-bordered'];
const HEAD = `import { addAntdStyle } from ${JSON.stringify(fileURLToPath(new URL('../src/ui/antd-styles.ts', import.meta.url)))};\n`;

/** By the name under which antd keeps them, `Button-compact`. Colours and sizes are variables in them, so one theme is all. */
const drawStyles = (): Map<string, Style[]> => {
  const cache = createCache();
  const theme = themeOf('light', { wide: false, still: false });
  renderToString(h(StyleProvider, { cache }, h(ConfigProvider, { theme }, h(AntdSamples))));
  const styles = new Map<string, Style[]>();
  for (const [path, [, value]] of cache.cache) {
    const [kind, name = ''] = path.split('%').filter(Boolean);
    if (kind !== 'style') continue;
    const [css, , effects, , order] = value as [string, string, Record<string, string>, boolean, number | undefined];
    const keyframes = Object.values(effects).join('');
    styles.set(name, [...(styles.get(name) ?? []), { css: keyframes + css, order: order ?? 0 }]);
  }
  return styles;
};

const isNode = (value: unknown): value is Node => typeof (value as Node | null)?.type === 'string';

/** The calls by which a module of antd says how its part looks. */
const makingCalls = (node: Node): Node[] => {
  const within = Object.values(node)
    .flatMap((value) => (Array.isArray(value) ? value : [value]))
    .filter(isNode)
    .flatMap(makingCalls);
  const isCall = node.type === 'CallExpression' && MAKERS.includes(String((node.callee as Node).name));
  return isCall ? [...within, node] : within;
};

const nameOf = ({ type, value, elements }: Node): string => {
  const cells = type === 'ArrayExpression' ? (elements as Node[]).map((cell) => String(cell.value)) : [value, value];
  return cells.join('-');
};

/**
 * antd makes its styles in the browser, anew at every visit: a tenth of all that the scripts of a first page did. Here
 * they are made once: the modules keep the names of their variables and get the finished text, and what would have
 * made it is left out.
 */
export const antdStyles = (): Plugin => {
  let styles = new Map<string, Style[]>();
  const undrawn = new Map<string, string>();
  const entering = (name: string): string =>
    (styles.get(name) ?? []).map(({ css, order }) => `addAntdStyle(${JSON.stringify(css)}, ${order});\n`).join('');

  return {
    name: 'antd-styles',
    apply: 'build',
    buildStart() {
      styles = drawStyles();
    },
    transform(code, id) {
      if (SHARED_MODULE.test(id)) return { code: HEAD + entering('Shared') + code, map: null };
      if (ICON_MODULE.test(id)) return { code: `${HEAD}${code}\naddAntdStyle(iconStyles, ${ICON_ORDER});`, map: null };
      if (!STYLE_MODULE.test(id)) return null;
      let [texts, changed] = ['', code];
      // From the end, so that the places of the others stay true.
      for (const { arguments: given } of makingCalls(this.parse(code) as unknown as Node).toReversed()) {
        const [first, maker] = given as [Node, Node];
        const name = nameOf(first);
        if (!styles.has(name) && !NEVER_SHOWN.includes(name)) undrawn.set(id, name);
        texts = entering(name) + texts;
        changed = `${changed.slice(0, maker.start)}() => []${changed.slice(maker.end)}`;
      }
      return { code: HEAD + texts + changed, map: null };
    },
    generateBundle(_, bundle) {
      const kept = Object.values(bundle).flatMap((file) => (file.type === 'chunk' ? Object.entries(file.modules) : []));
      const missing = kept.flatMap(([id, { renderedLength }]) => (renderedLength > 0 && undrawn.get(id)) || []);
      if (missing.length > 0) this.error(`used, and not drawn by antd-samples.ts: ${missing.join(', ')}`);
    },
  };
};
