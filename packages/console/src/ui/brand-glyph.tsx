import { RadioTower } from 'lucide-react';

export const BrandGlyph = () => (
  <span className="dc-glyph" aria-hidden="true">
    <RadioTower size={16} strokeWidth={2.2} />
  </span>
);
