import { ChevronRight } from 'lucide-react';
import { type ReactNode, useId, useState } from 'react';

type FoldProps = {
  title: ReactNode;
  /** Content beside the title, also while collapsed. */
  aside?: ReactNode;
  defaultOpen?: boolean;
  /** Rendered only while open, because a model may have hundreds of functions. */
  children: () => ReactNode;
};

export const Collapsible = ({ title, aside, defaultOpen = false, children }: FoldProps) => {
  const id = useId();
  const [open, setOpen] = useState(defaultOpen);
  return (
    <section className="dc-fold" data-open={open}>
      <header>
        <button type="button" aria-expanded={open} aria-controls={id} onClick={() => setOpen(!open)}>
          <ChevronRight size={15} aria-hidden />
          <span>{title}</span>
        </button>
        {aside}
      </header>
      <div id={id} className="dc-fold-body" hidden={!open}>
        {open && children()}
      </div>
    </section>
  );
};
