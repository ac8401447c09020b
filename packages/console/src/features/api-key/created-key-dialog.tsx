import { Alert, Modal } from 'antd';
import { useTranslation } from 'react-i18next';
import { Button } from '../../ui/button.tsx';
import { CopyButton } from '../../ui/copy-id.tsx';
import { SecretLines } from '../../ui/secret-lines.tsx';
import { exampleOf } from './examples.ts';
import { type Scope, usageTextKey } from './scopes.ts';

export type CreatedKey = { key: string; scope: Scope };

type CreatedKeyDialogProps = { createdKey: CreatedKey; onStored: () => void };

/** Shows a new key the only time that it is available. Only the button that confirms its storage closes the dialog. */
export const CreatedKeyDialog = ({ createdKey: { key, scope }, onStored }: CreatedKeyDialogProps) => {
  const { t } = useTranslation('apiKey');
  const example = exampleOf(scope, location.origin, key);
  return (
    <Modal
      open
      title={t('createdTitle')}
      width={620}
      closable={false}
      keyboard={false}
      mask={{ closable: false }}
      footer={
        <Button type="primary" needsHub={false} onClick={onStored}>
          {t('stored')}
        </Button>
      }
    >
      <Alert className="dc-key-once" type="warning" showIcon title={t('once')} />
      <SecretLines lines={[{ label: t('key'), value: key, copy: t('copyKey') }]} />
      <div className="dc-key-use">
        <h3>{t('use')}</h3>
        <p>{t(usageTextKey(scope))}</p>
        <code className="dc-mono">{`Authorization: Bearer ${key}`}</code>
        {example !== '' && (
          <>
            {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable area must be reachable by keyboard. */}
            <section className="dc-panel" tabIndex={0} aria-label={t('example')}>
              {example}
            </section>
            <CopyButton value={example}>{t('copyExample')}</CopyButton>
          </>
        )}
      </div>
    </Modal>
  );
};
