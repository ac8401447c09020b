import { Eye, EyeOff } from 'lucide-react';
import { useTranslation } from 'react-i18next';

type RevealButtonProps = { shown: boolean; onToggle: () => void };

export const RevealButton = ({ shown, onToggle }: RevealButtonProps) => {
  const { t } = useTranslation();
  return (
    <button
      type="button"
      className="dc-reveal"
      aria-label={t(shown ? 'hidePassword' : 'showPassword')}
      aria-pressed={shown}
      onClick={onToggle}
    >
      {shown ? <EyeOff size={16} aria-hidden /> : <Eye size={16} aria-hidden />}
    </button>
  );
};
