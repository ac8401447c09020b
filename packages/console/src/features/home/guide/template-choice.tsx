import { Network, Thermometer, ToggleRight } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { useSession } from '../../../api/session.ts';
import { mockFormPath } from '../../../paths.ts';
import { Link } from '../../../ui/routing.ts';
import { menuText, missingMenuFor, type StepId, stepIds } from './step-permissions.ts';
import { type TemplateId, templateIds } from './templates.ts';

const templateViews = {
  sensor: { icon: Thermometer, name: 'templateSensor', text: 'templateSensorText' },
  switch: { icon: ToggleRight, name: 'templateSwitch', text: 'templateSwitchText' },
  gateway: { icon: Network, name: 'templateGateway', text: 'templateGatewayText' },
} as const;

const useMissing = (): { step: StepId; menuId: number }[] => {
  const session = useSession();
  return stepIds.flatMap((step) => {
    const menuId = missingMenuFor(step, session?.menus);
    return menuId === null ? [] : [{ step, menuId }];
  });
};

/** Lists the menus that the role lacks, and the step at which the guide stops without them. */
const MissingMenus = () => {
  const { t } = useTranslation('guide');
  const missing = useMissing();
  const [first] = missing;
  if (!first) return null;
  const blockedAtStart = first.step === 'product';
  return (
    <div className="dc-guide-missing" role="note">
      <p>{t('missingTitle')}</p>
      <ul>
        {missing.map(({ menuId }) => (
          <li key={menuId}>{menuText(menuId)}</li>
        ))}
      </ul>
      <p>
        {blockedAtStart
          ? t('missingFirst', { menu: menuText(first.menuId) })
          : t('missingLater', { step: t(first.step) })}
      </p>
      {blockedAtStart && missingMenuFor('mock') === null && (
        <Link className="dc-guide-link" to={mockFormPath}>
          {t('mockByHand')}
        </Link>
      )}
    </div>
  );
};

type TemplateChoiceProps = { resourcesGone: boolean; onChoose: (chosen: TemplateId) => void };

export const TemplateChoice = ({ resourcesGone, onChoose }: TemplateChoiceProps) => {
  const { t } = useTranslation('guide');
  const [first] = useMissing();
  return (
    <>
      {resourcesGone && (
        <p className="dc-guide-missing" role="status">
          {t('gone')}
        </p>
      )}
      <MissingMenus />
      {first?.step !== 'product' && (
        <ul className="dc-guide-templates" aria-label={t('choose')}>
          {templateIds.map((id) => {
            const { icon: Icon, name, text } = templateViews[id];
            return (
              <li key={id}>
                <button type="button" onClick={() => onChoose(id)}>
                  <Icon size={22} aria-hidden />
                  <strong>{t(name)}</strong>
                  <span>{t(text)}</span>
                </button>
              </li>
            );
          })}
        </ul>
      )}
    </>
  );
};
