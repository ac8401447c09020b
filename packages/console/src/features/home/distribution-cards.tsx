import { type FleetDistribution, type FleetState, fleetStates } from '@device-center/contract';
import { useTranslation } from 'react-i18next';
import { countText, percentText } from '../../i18n/numbers.ts';
import type { PageTarget } from '../../ui/routing.ts';
import { StatusDot, type Tone } from '../../ui/status-dot.tsx';
import { type CardQuery, HomeCard, Skeleton } from './home-card.tsx';
import type { Targets } from './paths.ts';
import { TargetLink } from './target-link.tsx';

type DistributionProps = { query: CardQuery<FleetDistribution>; targets: Targets };

const percent = (part: number, whole: number): string => `${whole === 0 ? 0 : (part / whole) * 100}%`;

type Product = { key: string; name: string; devices: number; online: number; target?: PageTarget | undefined };

/** The bar is the share of online devices, so that a small product is as readable as a very large one. */
const ProductBar = ({ product }: { product: Product }) => {
  const { t } = useTranslation('home');
  const { name, devices, online, target } = product;
  return (
    <li>
      <p>
        <TargetLink target={target} title={name}>
          {name}
        </TargetLink>
        <span>
          {t('productOnline', { online: countText(online), devices: countText(devices) })}
          <small>{percentText(devices === 0 ? 0 : online / devices)}</small>
        </span>
      </p>
      <div className="dc-bar" aria-hidden="true">
        <i style={{ width: percent(online, devices) }} />
      </div>
    </li>
  );
};

export const ProductsCard = ({ query, targets }: DistributionProps) => {
  const { t } = useTranslation('home');
  return (
    <HomeCard title={t('products')} query={query} skeleton={<Skeleton rows={5} />}>
      {({ products, others }) => {
        const shown: Product[] = products.map(({ productId, productName, devices, online }) => ({
          key: productId,
          name: productName,
          devices,
          online,
          target: targets.product(productId),
        }));
        // Product keys are letters and digits, so this key is unique.
        if (others.products > 0)
          shown.push({ ...others, key: '…', name: t('otherProducts', { total: countText(others.products) }) });
        if (shown.length === 0) return <p className="dc-home-nothing">{t('noDevices')}</p>;
        return (
          <ul className="dc-products">
            {shown.map((product) => (
              <ProductBar key={product.key} product={product} />
            ))}
          </ul>
        );
      }}
    </HomeCard>
  );
};

const STATE_TONES: Record<FleetState, Tone> = {
  online: 'online',
  offline: 'offline',
  never: 'running',
  blacklisted: 'failed',
  kicked: 'warning',
};

export const StatesCard = ({ query, targets }: DistributionProps) => {
  const { t } = useTranslation('home');
  return (
    <HomeCard title={t('states')} query={query} skeleton={<Skeleton rows={5} />}>
      {({ states }) => {
        const total = fleetStates.reduce((sum, state) => sum + states[state], 0);
        return (
          <>
            <div className="dc-state-bar" aria-hidden="true">
              {fleetStates.map((state) => (
                <i key={state} data-tone={STATE_TONES[state]} style={{ width: percent(states[state], total) }} />
              ))}
            </div>
            <ul className="dc-states">
              {fleetStates.map((state) => (
                <li key={state}>
                  <StatusDot tone={STATE_TONES[state]}>
                    <TargetLink
                      target={states[state] > 0 ? targets.state(state) : undefined}
                      // The device list can only filter by online and offline.
                      title={state === 'offline' ? t('offlineLink') : undefined}
                    >
                      {t(`state_${state}`)}
                    </TargetLink>
                  </StatusDot>
                  <span>
                    {countText(states[state])}
                    <small>{percentText(total === 0 ? 0 : states[state] / total)}</small>
                  </span>
                </li>
              ))}
            </ul>
          </>
        );
      }}
    </HomeCard>
  );
};
