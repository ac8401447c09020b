/**
 * Inserts the antd styles that the build precompiled (vite/antd-styles-plugin.ts) before the console's own styles:
 * one <style> element for all components of a chunk.
 */
type Style = { css: string; order: number };

let waiting: Style[] = [];
let last: HTMLStyleElement | undefined;

const enter = (): void => {
  const style = document.createElement('style');
  // With equal specificity, the styles of a variant must come after those of its component.
  style.textContent = waiting
    .toSorted((a, b) => a.order - b.order)
    .map(({ css }) => css)
    .join('');
  waiting = [];
  if (last) last.after(style);
  else document.head.prepend(style);
  last = style;
};

export const addAntdStyle = (css: string, order: number): void => {
  // The microtask runs before the importers of this chunk continue, and therefore before anything is rendered.
  if (waiting.length === 0) queueMicrotask(enter);
  waiting.push({ css, order });
};
