import { applicationCalls, type Call, deviceCalls, homeCalls, mockCalls, productCalls } from '@device-center/contract';
import { useQueryClient } from '@tanstack/react-query';
import { X } from 'lucide-react';
import { useEffect, useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useStore } from 'zustand';
import { keyOf } from '../../../api/use-call.ts';
import { changePreferences, usePreferences } from '../../../ui/preferences.ts';
import { useHomeSearch } from '../home-search.ts';
import { DevicePreviewCard } from './device-preview-card.tsx';
import { GuideEnd } from './guide-end.tsx';
import { createGuideRun } from './guide-run.ts';
import { GuideSteps } from './guide-steps.tsx';
import { TemplateChoice } from './template-choice.tsx';
import type { TemplateId } from './templates.ts';
import './guide.css';

const affectedCalls: readonly Call[] = [
  homeCalls.getSystemDeviceCurrentCount,
  productCalls.queryDeviceProductList,
  deviceCalls.queryDeviceList,
  mockCalls.queryMockDeviceList,
  applicationCalls.queryApplicationList,
];

/** Refetches what other cards and pages show, after the guide has created or removed objects. */
const useRefresh = (): (() => void) => {
  const client = useQueryClient();
  return () => {
    for (const call of affectedCalls) void client.invalidateQueries({ queryKey: keyOf(call).slice(0, 1) });
  };
};

/** While it is mounted, this page acts as the device. */
const OpenGuide = ({ onClose }: { onClose: () => void }) => {
  const { t } = useTranslation('guide');
  const heading = useId();
  const refresh = useRefresh();
  const { show } = useHomeSearch();
  const guidePreference = usePreferences((state) => state.guide);
  const [run] = useState(() => createGuideRun(refresh));
  const state = useStore(run.store);
  const { resources, preview } = state;

  useEffect(() => {
    run.open();
    return run.close;
  }, [run]);

  const choose = (chosen: TemplateId) => {
    // The first device makes the page non-empty; the URL keeps the card open, also over a reload.
    show({ guide: 1 });
    run.choose(chosen);
  };
  const close = () => {
    if (guidePreference !== 'done') changePreferences({ guide: 'dismissed' });
    onClose();
  };
  return (
    <section className="dc-card dc-guide" aria-labelledby={heading}>
      <header>
        <div>
          <h2 id={heading}>{t('title')}</h2>
          {!resources && <p className="dc-muted">{t('intro')}</p>}
        </div>
        <button type="button" aria-label={t('end')} title={t('end')} onClick={close}>
          <X size={18} aria-hidden />
        </button>
      </header>
      {resources ? (
        <div className="dc-guide-columns">
          <div>
            <GuideSteps state={state} resources={resources} run={run} />
          </div>
          <div>
            {preview && <DevicePreviewCard state={state} preview={preview} run={run} />}
            <GuideEnd state={state} resources={resources} run={run} />
          </div>
        </div>
      ) : (
        <TemplateChoice resourcesGone={state.resourcesGone} onChoose={choose} />
      )}
    </section>
  );
};

type GuideCardProps = { open: boolean; onClose: () => void };

/** Leads from an empty tenant to a device that answers a command. */
const GuideCard = ({ open, onClose }: GuideCardProps) => (open ? <OpenGuide onClose={onClose} /> : null);

export default GuideCard;
