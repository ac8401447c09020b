import { GraduationCap } from 'lucide-react';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { useTenantFilter } from '../../api/choices.ts';
import { operatorZone } from '../../i18n/operator-zone.ts';
import { Button } from '../../ui/button.tsx';
import { ChoiceSelect } from '../../ui/choice-select.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import type { FleetFilter } from './fleet-filter.ts';
import { useHomeSearch } from './home-search.ts';
import { HomeView } from './home-view.tsx';
import { useCanUseGuide } from './use-guide.ts';
import '../../ui/styles/reading.css';
import './home.css';
import './home-cards.css';

const HomePage = () => {
  const { t } = useTranslation('home');
  const home = useHomeSearch();
  const canUseGuide = useCanUseGuide();
  const tenants = useTenantFilter(home.search.tenancyId);
  const tenancyId = tenants === null ? undefined : home.search.tenancyId;
  const fleetFilter = useMemo<FleetFilter>(() => ({ timezone: operatorZone(), tenancyId }), [tenancyId]);
  return (
    <div className="dc-home">
      <PageHeader
        title={t('title')}
        actions={
          <>
            {canUseGuide && home.search.guide !== 1 && (
              <Button
                type="text"
                icon={<GraduationCap size={16} aria-hidden />}
                onClick={() => home.show({ guide: 1 })}
              >
                {t('openGuide')}
              </Button>
            )}
            {tenants && (
              <ChoiceSelect
                className="dc-home-tenant"
                label={t('tenant')}
                placeholder={t('allTenants')}
                choices={tenants}
                value={tenancyId}
                allowClear
                onChange={(chosen) => home.show({ tenancyId: chosen })}
              />
            )}
          </>
        }
      />
      {/* The key remounts the view, so that no data of the previous tenant stays on the page. */}
      <HomeView key={tenancyId ?? ''} home={home} fleetFilter={fleetFilter} />
    </div>
  );
};

export default HomePage;
