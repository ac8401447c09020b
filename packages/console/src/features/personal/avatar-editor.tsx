import { App, Button } from 'antd';
import { ImageUp } from 'lucide-react';
import { type ChangeEvent, lazy, Suspense, useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useProtectedPicture } from '../../api/picture.ts';
import { isAllowedPicture, loadPicture, PICTURE_ACCEPT } from './picture-file.ts';

const AvatarCrop = lazy(() => import('./avatar-crop.tsx'));

/** What is to be cropped, as an address of the browser's own; given back when it is no longer needed. */
const useChosenPicture = () => {
  const [address, setAddress] = useState<string>();
  useEffect(() => () => (address === undefined ? undefined : URL.revokeObjectURL(address)), [address]);
  return [address, setAddress] as const;
};

export const AvatarEditor = ({ username, image }: { username: string; image: string }) => {
  const { t } = useTranslation('personal');
  const { message } = App.useApp();
  const picture = useProtectedPicture(image);
  const input = useRef<HTMLInputElement>(null);
  const [chosen, setChosen] = useChosenPicture();
  const [problem, setProblem] = useState('');

  const refuse = (text: string) => {
    setProblem(text);
    void message.error({ key: text, content: text, duration: 2 });
  };

  const choose = async ({ target }: ChangeEvent<HTMLInputElement>) => {
    const file = target.files?.[0];
    // Else choosing the same file once more would go unnoticed.
    target.value = '';
    if (!file) return;
    if (!(await isAllowedPicture(file))) return refuse(t('avatarWrongType'));
    const address = URL.createObjectURL(file);
    try {
      await loadPicture(address);
    } catch {
      URL.revokeObjectURL(address);
      return refuse(t('avatarUnreadable'));
    }
    setProblem('');
    setChosen(address);
  };

  return (
    <div className="dc-person-avatar">
      <span className="dc-person-picture">
        {picture ? <img src={picture} alt={t('avatar')} /> : username.slice(0, 1).toUpperCase()}
      </span>
      <Button icon={<ImageUp size={15} aria-hidden />} onClick={() => input.current?.click()}>
        {t('avatarChange')}
      </Button>
      <span className="dc-muted dc-small">{t('avatarTypes')}</span>
      <span role="alert" className="dc-field-error dc-small">
        {problem}
      </span>
      <input
        ref={input}
        type="file"
        hidden
        accept={PICTURE_ACCEPT}
        aria-label={t('avatarChange')}
        onChange={(event) => void choose(event)}
      />
      {chosen !== undefined && (
        <Suspense fallback={null}>
          <AvatarCrop address={chosen} onAnother={() => input.current?.click()} onClose={() => setChosen(undefined)} />
        </Suspense>
      )}
    </div>
  );
};
