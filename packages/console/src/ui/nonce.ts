/**
 * antd's scroll lock and scrollbar measuring add <style> elements without the nonce it was given, and the policy
 * refuses them. Every script here is the hub's own, so every style that they make may carry it.
 */
export const giveStylesNonce = (nonce: string): void => {
  const create = document.createElement.bind(document);
  document.createElement = ((name: string, options?: ElementCreationOptions) => {
    const element = create(name, options);
    if (element instanceof HTMLStyleElement) element.nonce = nonce;
    return element;
  }) as typeof document.createElement;
};

/** The hub writes a fresh nonce into every index.html; the browser hides the attribute but keeps the property. */
export const readNonce = (): string | undefined =>
  document.querySelector<HTMLMetaElement>('meta[property="csp-nonce"]')?.nonce || undefined;
