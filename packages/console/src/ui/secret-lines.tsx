import './styles/secret-lines.css';
import { CopyButton } from './copy-id.tsx';

export type SecretLine = { label: string; value: string; copy: string };

/** Ids and secrets, each with a copy button. */
export const SecretLines = ({ lines }: { lines: SecretLine[] }) => (
  <dl className="dc-secrets">
    {lines.map(({ label, value, copy }) => (
      <div key={label}>
        <dt>{label}</dt>
        <dd>
          <code>{value}</code>
          <CopyButton value={value}>{copy}</CopyButton>
        </dd>
      </div>
    ))}
  </dl>
);
