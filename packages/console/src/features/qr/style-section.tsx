import { Alert, InputNumber, Select, Switch } from 'antd';
import { useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from '../../ui/button.tsx';
import { acceptOf } from '../../ui/picture-file.ts';
import type { DesignProps } from './design.ts';
import { MARGIN_MAX, MARGIN_STANDARD, SIZE_MAX, SIZE_MIN } from './drawing.ts';
import { type Level, levels } from './encode.ts';
import { LabelledField } from './labelled-field.tsx';
import { type Logo, logoKinds } from './use-logo.ts';

const LogoField = ({ logo: { logo, problem, take, forget } }: { logo: Logo }) => {
  const { t } = useTranslation('qrCode');
  const input = useRef<HTMLInputElement>(null);
  return (
    <div className="dc-qr-field">
      <span className="dc-qr-label">{t('logo')}</span>
      <div className="dc-qr-logo">
        {logo !== undefined && <img src={logo} alt={t('logo')} />}
        <Button onClick={() => input.current?.click()}>{t(logo === undefined ? 'logoChoose' : 'logoReplace')}</Button>
        {logo !== undefined && <Button onClick={forget}>{t('logoRemove')}</Button>}
        <input
          ref={input}
          type="file"
          hidden
          accept={acceptOf(logoKinds)}
          aria-label={t('logoChoose')}
          onChange={({ target }) => {
            const file = target.files?.[0];
            // Otherwise selecting the same file again would not fire a change event.
            target.value = '';
            if (file) void take(file);
          }}
        />
      </div>
      <span className="dc-muted dc-small">{t('logoHint')}</span>
      <span role="alert" className="dc-field-error">
        {problem}
      </span>
    </div>
  );
};

type LooksSectionProps = DesignProps & {
  logo: Logo;
  /** False for labels, whose size is set in millimetres. */
  withSize: boolean;
};

/** All settings except the content. */
export const StyleSection = ({ design, onDesign, logo, withSize }: LooksSectionProps) => {
  const { t } = useTranslation('qrCode');
  const { size, level, margin, caption } = design;
  return (
    <section className="dc-card dc-form-section" aria-label={t('style')}>
      <h2>{t('style')}</h2>
      <div className="dc-form-pair">
        <LabelledField label={t('level')} hint={t('levelHint')}>
          {({ id, status }) => (
            <Select<Level>
              id={id}
              status={status}
              value={level}
              options={levels.map((value) => ({ value, label: t(`level_${value}`) }))}
              onChange={(chosen) => onDesign({ level: chosen })}
            />
          )}
        </LabelledField>
        <LabelledField label={t('margin')} hint={t(margin < MARGIN_STANDARD ? 'marginNarrow' : 'marginHint')}>
          {(control) => (
            <InputNumber
              {...control}
              min={0}
              max={MARGIN_MAX}
              precision={0}
              value={margin}
              suffix={t('modules')}
              onChange={(typed) => typed !== null && onDesign({ margin: typed })}
            />
          )}
        </LabelledField>
        {withSize && (
          <LabelledField label={t('size')} hint={t('sizeHint', { min: SIZE_MIN, max: SIZE_MAX })}>
            {(control) => (
              <InputNumber
                {...control}
                min={SIZE_MIN}
                max={SIZE_MAX}
                step={32}
                precision={0}
                value={size}
                suffix="px"
                onChange={(typed) => typed !== null && onDesign({ size: typed })}
              />
            )}
          </LabelledField>
        )}
        <LabelledField label={t('caption')} hint={t('captionHint')}>
          {({ id }) => <Switch id={id} checked={caption} onChange={(on) => onDesign({ caption: on })} />}
        </LabelledField>
      </div>
      <LogoField logo={logo} />
      {logo.logo !== undefined && level !== 'H' && (
        <Alert
          className="dc-qr-advice"
          type="info"
          showIcon
          title={t('logoAdvice')}
          action={
            <Button size="small" onClick={() => onDesign({ level: 'H' })}>
              {t('logoTakeH')}
            </Button>
          }
        />
      )}
    </section>
  );
};
