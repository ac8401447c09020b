import { Checkbox } from 'antd';
import { Undo2 } from 'lucide-react';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { dataTypeText } from '../../../../model/function-texts.ts';
import { ValueFormContext } from '../../../../model/values/value-context.ts';
import { draftOf, problemsOf } from '../../../../model/values/value-draft.ts';
import { ValueField } from '../../../../model/values/value-field.tsx';
import { unitOf, valueText } from '../../../../model/values/value-texts.ts';
import { Button } from '../../../../ui/button.tsx';
import { Collapsible } from './collapsible.tsx';
import type { Property, PropertyDrafts } from './property-drafts.ts';
import '../../../../model/values/value-form.css';

type PropertyRowProps = { entry: Property; value: unknown; saved: boolean; drafts: PropertyDrafts };

const nothing = (): void => undefined;

/** One property: selection, input and current value. */
export const PropertyRow = ({ entry, value, saved, drafts }: PropertyRowProps) => {
  const { t } = useTranslation('mockTabs');
  const { signCode, functionName: name } = entry;
  const type = entry.functionDefinition.dataType;
  const typed = drafts.typed.get(signCode);
  const isTyped = typed !== undefined;
  // A draft gives list entries new keys, so create it only when the value changes, not at each render.
  const text = JSON.stringify(value ?? null);
  const followed = useMemo(() => draftOf(type, JSON.parse(text)), [type, text]);
  const draft = typed ?? followed;
  const problems = useMemo(() => problemsOf(type, draft), [type, draft]);
  const form = { disabled: false, problems, touched: isTyped ? ('all' as const) : new Set<string>(), touch: nothing };
  const now = `${valueText(type, value)} ${unitOf(type)}`.trim();
  const field = (
    <ValueFormContext value={form}>
      <ValueField
        type={type}
        path={[]}
        label={name}
        draft={draft}
        onChange={(changed) => drafts.type(signCode, changed)}
      />
    </ValueFormContext>
  );
  const isNested = type.type === 'json' || type.type === 'array';
  return (
    <li className="dc-property-row" data-nested={isNested}>
      <Checkbox
        checked={drafts.chosen.has(signCode)}
        aria-label={t('chooseProperty', { name })}
        onChange={({ target }) => drafts.choose([signCode], target.checked)}
      />
      <div className="dc-property-field">
        {isNested ? (
          <Collapsible
            title={
              <>
                {name} <small>{dataTypeText(type)}</small>
              </>
            }
          >
            {() => field}
          </Collapsible>
        ) : (
          field
        )}
        <p className="dc-property-facts">
          <code className="dc-mono">{signCode}</code>
          {(isTyped || isNested) && <span className="dc-property-now">{t('now', { value: now })}</span>}
          {saved && <span className="dc-tag">{t('ownDefault')}</span>}
        </p>
      </div>
      {isTyped && (
        <Button
          type="text"
          size="small"
          icon={<Undo2 size={15} aria-hidden />}
          aria-label={t('undoTyped', { name })}
          title={t('undoTyped', { name })}
          onClick={() => drafts.forget([signCode])}
        />
      )}
    </li>
  );
};
