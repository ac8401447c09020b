import './styles/file-zone.css';
import { Upload } from 'lucide-react';
import { type DragEvent, useRef, useState } from 'react';
import { Button } from './button.tsx';

type FileZoneProps = {
  text: string;
  button: string;
  /** File types of the file dialog. */
  accept: string;
  note?: string;
  disabled?: boolean;
  onFile: (file: File) => void;
};

/** A drop zone for a file, with a button that opens the file dialog. */
export const FileZone = ({ text, button, accept, note, disabled = false, onFile }: FileZoneProps) => {
  const input = useRef<HTMLInputElement>(null);
  const [over, setOver] = useState(false);
  const take = (file: File | undefined) => {
    if (file && !disabled) onFile(file);
  };
  const drop = (event: DragEvent) => {
    event.preventDefault();
    setOver(false);
    take(event.dataTransfer.files[0]);
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: dropping is a mouse shortcut; the button does the same.
    <div
      className="dc-file-zone"
      data-over={over && !disabled}
      onDragOver={(event) => {
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={() => setOver(false)}
      onDrop={drop}
    >
      <Upload size={18} aria-hidden />
      <span>{text}</span>
      <Button size="small" disabled={disabled} onClick={() => input.current?.click()}>
        {button}
      </Button>
      <input
        ref={input}
        type="file"
        accept={accept}
        hidden
        disabled={disabled}
        aria-label={button}
        onChange={({ target }) => {
          take(target.files?.[0]);
          target.value = '';
        }}
      />
      {note !== undefined && <small className="dc-muted">{note}</small>}
    </div>
  );
};
