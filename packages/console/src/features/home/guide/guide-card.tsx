import { applicationCalls, type Call, deviceCalls, homeCalls, mockCalls, productCalls } from '@device-center/contract';
import { useQueryClient } from '@tanstack/react-query';
import { X } from 'lucide-react';
import { useEffect, useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useStore } from 'zustand';
import { keyOf } from '../../../api/use-call.ts';
import { changePreferences, usePreferences } from '../../../ui/preferences.ts';
import { useHomeSearch } from '../home-search.ts';
import { DeviceFace } from './device-preview-card.tsx';
import { GuideEnd } from './guide-end.tsx';
import { createGuideRun } from './guide-run.ts';
import { GuideSteps } from './guide-steps.tsx';
import { TemplateChoice } from './template-choice.tsx';
import type { TemplateId } from './templates.ts';
import './guide.css';

const touched: readonly Call[] = [
  homeCalls.getSystemDeviceCurrentCount,
  productCalls.queryDeviceProductList,
  deviceCalls.queryDeviceList,
  mockCalls.queryMockDeviceList,
  applicationCalls.queryApplicationList,
];

/** What other cards and pages have read of what the guide makes and removes is read anew. */
const useRefresh = (): (() => void) => {
  const client = useQueryClient();
  return () => {
    for (const call of touched) void client.invalidateQueries({ queryKey: keyOf(call).slice(0, 1) });
  };
};

/** As long as it is there, this page is the device. */
const OpenGuide = ({ onClose }: { onClose: () => void }) => {
  const { t } = useTranslation('guide');
  const heading = useId();
  const refresh = useRefresh();
  const { show } = useHomeSearch();
  const ended = usePreferences((state) => state.guide);
  const [run] = useState(() => createGuideRun(refresh));
  const state = useStore(run.store);
  const { made, face } = state;

  useEffect(() => {
    run.open();
    return run.close;
  }, [run]);

  const choose = (chosen: TemplateId) => {
    // With the first device the page is no longer empty; the address keeps the card open, over a reload too.
    show({ guide: 1 });
    run.choose(chosen);
  };
  const close = () => {
    if (ended !== 'done') changePreferences({ guide: 'dismissed' });
    onClose();
  };
  return (
    <section className="dc-card dc-guide" aria-labelledby={heading}>
      <header>
        <div>
          <h2 id={heading}>{t('title')}</h2>
          {!made && <p className="dc-muted">{t('intro')}</p>}
        </div>
        <button type="button" aria-label={t('end')} title={t('end')} onClick={close}>
          <X size={18} aria-hidden />
        </button>
      </header>
      {made ? (
        <div className="dc-guide-columns">
          <div>
            <GuideSteps state={state} made={made} run={run} />
          </div>
          <div>
            {face && <DeviceFace state={state} face={face} run={run} />}
            <GuideEnd state={state} made={made} run={run} />
          </div>
        </div>
      ) : (
        <TemplateChoice gone={state.gone} onChoose={choose} />
      )}
    </section>
  );
};

type GuideCardProps = { open: boolean; onClose: () => void };

/** From an empty hub to a device that answers. */
const GuideCard = ({ open, onClose }: GuideCardProps) => (open ? <OpenGuide onClose={onClose} /> : null);

export default GuideCard;
