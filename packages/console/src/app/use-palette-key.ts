import { useEffect, useState } from 'react';

/** Ctrl/Cmd+K toggles the palette on any page. */
export const usePaletteKey = (allowed: boolean) => {
  const [open, setOpen] = useState(false);
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (!allowed || !(event.ctrlKey || event.metaKey) || event.key.toLowerCase() !== 'k') return;
      event.preventDefault();
      setOpen((now) => !now);
    };
    window.addEventListener('keydown', onKey);
    return () => window.removeEventListener('keydown', onKey);
  }, [allowed]);
  return { open: open && allowed, show: () => setOpen(true), hide: () => setOpen(false) };
};
