import { X } from 'lucide-react';
import { createContext, type ReactNode, useContext, useEffect, useMemo, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from './button.tsx';

type Chip = { label: string; text: string; clear: () => void };
type Chips = { shown: readonly Chip[]; put: (chip: Chip) => void; drop: (label: string) => void };

const nowhere: Chips = { shown: [], put: () => undefined, drop: () => undefined };
const ChipsContext = createContext<Chips>(nowhere);

/** Collects the active filters, so that an empty result can list them. */
export const FilterChipsProvider = ({ children }: { children: ReactNode }) => {
  const [shown, setShown] = useState<readonly Chip[]>([]);
  const chips = useMemo<Chips>(
    () => ({
      shown,
      put: (chip) => setShown((before) => [...before.filter(({ label }) => label !== chip.label), chip]),
      drop: (label) => setShown((before) => before.filter((chip) => chip.label !== label)),
    }),
    [shown],
  );
  return <ChipsContext value={chips}>{children}</ChipsContext>;
};

/** Registers a filter while `text` is set. */
export const useFilterChip = (label: string, text: string | undefined, clear: () => void): void => {
  const { put, drop } = useContext(ChipsContext);
  // A ref to the latest functions, so that new functions at each render do not rerun the effect.
  const latest = useRef({ put, drop, clear });
  latest.current = { put, drop, clear };
  useEffect(() => {
    if (text === undefined || text === '') return;
    latest.current.put({ label, text, clear: () => latest.current.clear() });
    return () => latest.current.drop(label);
  }, [label, text]);
};

/** The active filters, each with a remove button. */
export const FilterChips = () => {
  const { t } = useTranslation();
  const { shown } = useContext(ChipsContext);
  return (
    <div className="dc-filter-chips">
      {shown.map(({ label, text, clear }) => (
        <Button
          key={label}
          size="small"
          icon={<X size={13} aria-hidden />}
          aria-label={t('removeFilter', { filter: `${label}: ${text}` })}
          onClick={clear}
        >
          {label}: {text}
        </Button>
      ))}
    </div>
  );
};
