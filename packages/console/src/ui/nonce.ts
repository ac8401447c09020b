/**
 * Sets the nonce on every <style> element that a script creates. antd's scroll lock and scrollbar measurement create
 * some without it, which the content security policy blocks. All scripts come from the hub, so this is safe.
 */
export const addNonceToStyles = (nonce: string): void => {
  const create = document.createElement.bind(document);
  document.createElement = ((name: string, options?: ElementCreationOptions) => {
    const element = create(name, options);
    if (element instanceof HTMLStyleElement) element.nonce = nonce;
    return element;
  }) as typeof document.createElement;
};

/** The hub writes a new nonce into every index.html. The browser hides the attribute but keeps the property. */
export const readNonce = (): string | undefined =>
  document.querySelector<HTMLMetaElement>('meta[property="csp-nonce"]')?.nonce || undefined;
