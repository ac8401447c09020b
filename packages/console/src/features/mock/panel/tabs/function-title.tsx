import type { ModelFunction } from '@device-center/contract';
import { modeText } from '../../../../model/function-texts.ts';

/** Name, sign code and mode of a function: access mode, call type or event type. */
export const FunctionTitle = ({ entry }: { entry: ModelFunction }) => (
  <span className="dc-fold-title">
    <strong>{entry.functionName}</strong>
    <code className="dc-mono">{entry.signCode}</code>
    <span
      className="dc-tag"
      data-kind={entry.functionType === 22 ? entry.functionDefinition.eventType : entry.functionType}
    >
      {modeText(entry)}
    </span>
  </span>
);
