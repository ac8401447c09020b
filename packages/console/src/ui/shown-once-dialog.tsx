import { Alert, Modal } from 'antd';
import { Button } from './button.tsx';
import { type SecretLine, SecretLines } from './secret-lines.tsx';

type ShownOnceDialogProps = {
  title: string;
  lines: SecretLine[];
  warning: string;
  okText: string;
  onStored: () => void;
};

/** Shows a secret once. Only the button that confirms its storage closes the dialog. */
export const ShownOnceDialog = ({ title, lines, warning, okText, onStored }: ShownOnceDialogProps) => (
  <Modal
    open
    title={title}
    width={520}
    closable={false}
    keyboard={false}
    mask={{ closable: false }}
    footer={
      <Button type="primary" needsHub={false} onClick={onStored}>
        {okText}
      </Button>
    }
  >
    <SecretLines lines={lines} />
    <Alert type="warning" showIcon title={warning} />
  </Modal>
);
