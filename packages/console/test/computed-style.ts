/**
 * Tests load no style sheets, so an element's style is its own `style` attribute and the browser's default. happy-dom
 * computes every property of every ancestor on each call, which is a quarter of the time of a test that queries by role.
 */
export const computeInlineStyles = (window: Window & typeof globalThis): void => {
  const compute = window.getComputedStyle.bind(window);
  const defaultDisplays = new Map<string, string>();

  const defaultDisplay = ({ tagName, namespaceURI }: Element): string => {
    const known = defaultDisplays.get(tagName);
    if (known !== undefined) return known;
    const sample = window.document.createElementNS(namespaceURI, tagName.toLowerCase());
    window.document.documentElement.append(sample);
    const { display } = compute(sample);
    sample.remove();
    defaultDisplays.set(tagName, display);
    return display;
  };

  const inherited = (element: Element, name: string): string => {
    for (let ancestor: Element | null = element; ancestor; ancestor = ancestor.parentElement) {
      const value = (ancestor as HTMLElement).style?.getPropertyValue(name);
      if (value) return value;
    }
    return '';
  };

  const styleValue = (element: Element, name: string): string => {
    if (name === 'visibility') return inherited(element, name) || 'visible';
    const own = (element as HTMLElement).style?.getPropertyValue(name) ?? '';
    if (name !== 'display' || own) return own;
    return (element as HTMLElement).hidden ? 'none' : defaultDisplay(element);
  };

  const hyphenated = (name: string): string => name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);

  window.getComputedStyle = (element, pseudoElement) =>
    new Proxy({} as CSSStyleDeclaration, {
      get: (_target, name) => {
        if (typeof name === 'symbol') return undefined;
        if (pseudoElement) return name === 'getPropertyValue' ? () => '' : '';
        if (name === 'getPropertyValue') return (property: string) => styleValue(element, property);
        return styleValue(element, hyphenated(name));
      },
    });
};
