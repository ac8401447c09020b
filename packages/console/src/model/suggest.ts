const MAX = 50;

/** `Target temperature` → `targetTemperature`; '' for a name with other than ASCII characters. */
export const suggestIdentifier = (name: string): string => {
  if (!/^[\x20-\x7e]+$/.test(name)) return '';
  const words = name.match(/[A-Za-z0-9]+/g) ?? [];
  return words
    .map((word, index) => {
      const rest = /^[A-Z0-9]+$/.test(word) && word.length > 1 ? word.slice(1).toLowerCase() : word.slice(1);
      return (index === 0 ? word.charAt(0).toLowerCase() : word.charAt(0).toUpperCase()) + rest;
    })
    .join('')
    .slice(0, MAX);
};
