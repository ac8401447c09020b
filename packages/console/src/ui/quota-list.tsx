import type { QuotaName, QuotaRow } from '@device-center/contract';
import { Progress } from 'antd';
import { useTranslation } from 'react-i18next';
import { countText } from '../i18n/numbers.ts';
import './quota-list.css';
import { sizeText } from './size-text.ts';

const inBytes: ReadonlySet<QuotaName> = new Set(['storedBytes', 'uploadBytes']);

export const isInBytes = (name: QuotaName): boolean => inBytes.has(name);

export const amountText = (name: QuotaName, amount: number): string =>
  isInBytes(name) ? sizeText(amount) : countText(amount);

const Quota = ({ quota: { name, limit, own, used } }: { quota: QuotaRow }) => {
  const { t } = useTranslation('quota');
  const limitText = limit === null ? t('noLimit') : amountText(name, limit);
  const percent = limit === null || used === null ? null : Math.min(100, Math.round((100 * used) / limit));
  return (
    <li>
      <div className="dc-quota-line">
        <span>
          <strong>{t(name)}</strong> {own === 1 && <span className="dc-tag">{t('own')}</span>}
        </span>
        <span className="dc-number">
          {used === null ? limitText : t('usedOf', { used: amountText(name, used), limit: limitText })}
        </span>
      </div>
      {percent !== null && (
        <Progress
          percent={percent}
          showInfo={false}
          size="small"
          aria-label={t(name)}
          {...(percent >= 90 ? { status: 'exception' as const } : {})}
        />
      )}
      <p className="dc-muted dc-small">{t(`${name}Hint`)}</p>
    </li>
  );
};

/** Limit and usage of each quota. */
export const QuotaList = ({ quotas }: { quotas: readonly QuotaRow[] }) => (
  <ul className="dc-quotas">
    {quotas.map((quota) => (
      <Quota key={quota.name} quota={quota} />
    ))}
  </ul>
);
