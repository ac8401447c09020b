import { type ModelEffect, modelCalls } from '@device-center/contract';
import { ArrowLeftRight, X } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { useCall } from '../../api/use-call.ts';
import { ChangeList } from '../../model/change-list.tsx';
import { Button } from '../../ui/button.tsx';
import { Loaded } from '../../ui/detail-page.tsx';

type VersionComparisonProps = { productId: string; from: number; to: number; onSwap: () => void; onClose: () => void };

/** Changes between two versions, without their effect on devices. */
export const VersionComparison = ({ productId, from, to, onSwap, onClose }: VersionComparisonProps) => {
  const { t } = useTranslation('product');
  const query = useCall(modelCalls.compareModelVersions, { productId, from, to });
  return (
    <section className="dc-card dc-version-compare" aria-live="polite">
      <header>
        <h2>{t('compareTitle', { from, to })}</h2>
        <Button size="small" icon={<ArrowLeftRight size={14} aria-hidden />} onClick={onSwap}>
          {t('compareSwap')}
        </Button>
        <Button
          type="text"
          size="small"
          aria-label={t('compareClose')}
          icon={<X size={16} aria-hidden />}
          onClick={onClose}
        />
      </header>
      <Loaded<ModelEffect> query={query}>{(effect) => <ChangeList difference={effect} />}</Loaded>
    </section>
  );
};
