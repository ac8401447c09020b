import type { ModelFunction } from '@device-center/contract';
import { modeWords } from '../../../../model/function-texts.ts';

/** Name, sign code, and of what kind it is: read or written, sync or async, information or alarm. */
export const FunctionTitle = ({ entry }: { entry: ModelFunction }) => (
  <span className="dc-fold-title">
    <strong>{entry.functionName}</strong>
    <code className="dc-mono">{entry.signCode}</code>
    <span
      className="dc-tag"
      data-kind={entry.functionType === 22 ? entry.functionDefinition.eventType : entry.functionType}
    >
      {modeWords(entry)}
    </span>
  </span>
);
