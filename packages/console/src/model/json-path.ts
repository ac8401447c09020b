import { ensureSyntaxTree, syntaxTree } from '@codemirror/language';
import type { EditorState } from '@codemirror/state';

type SyntaxNode = ReturnType<typeof syntaxTree>['topNode'];
type Span = { from: number; to: number };

/** `functions[3].functionDefinition.max` → ['functions', 3, 'functionDefinition', 'max'] */
export const stepsOf = (path: string): (string | number)[] =>
  [...path.matchAll(/\[(\d+)\]|([^.[\]]+)/g)].map(([, index, key]) =>
    index === undefined ? (key ?? '') : Number(index),
  );

/** CodeMirror parses in the background, at first 20 ms and 3,000 characters. The largest model takes about 100 ms. */
const READ_WITHIN_MS = 1_000;

const VALUES = new Set(['Object', 'Array', 'String', 'Number', 'True', 'False', 'Null']);

const childrenOf = (node: SyntaxNode): SyntaxNode[] => {
  const children: SyntaxNode[] = [];
  for (let child = node.firstChild; child; child = child.nextSibling) children.push(child);
  return children;
};
const valuesOf = (node: SyntaxNode): SyntaxNode[] => childrenOf(node).filter(({ name }) => VALUES.has(name));

const propertyOf = (state: EditorState, object: SyntaxNode, key: string): SyntaxNode | undefined =>
  childrenOf(object).find((child) => {
    const name = child.name === 'Property' ? child.getChild('PropertyName') : null;
    return name !== null && state.sliceDoc(name.from, name.to) === JSON.stringify(key);
  });

const inside = (state: EditorState, node: SyntaxNode, step: string | number): SyntaxNode | undefined => {
  if (typeof step === 'number') return node.name === 'Array' ? valuesOf(node)[step] : undefined;
  const property = node.name === 'Object' ? propertyOf(state, node, step) : undefined;
  return property && valuesOf(property)[0];
};

/** The range of the value at a path, or of the nearest enclosing value if the path does not exist. */
export const spanOf = (state: EditorState, path: string): Span => {
  const root = valuesOf((ensureSyntaxTree(state, state.doc.length, READ_WITHIN_MS) ?? syntaxTree(state)).topNode)[0];
  if (!root) return { from: 0, to: state.doc.length };
  let node = root;
  for (const [index, step] of stepsOf(path).entries()) {
    // A top-level array is the list of functions.
    if (index === 0 && step === 'functions' && root.name === 'Array') continue;
    const next = inside(state, node, step);
    if (!next) break;
    node = next;
  }
  return { from: node.from, to: node.name === 'Object' || node.name === 'Array' ? node.from + 1 : node.to };
};
