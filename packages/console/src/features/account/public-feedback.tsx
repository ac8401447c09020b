import { useEffect, useState } from 'react';
import { registerPresenter, restartAtLogin, TOAST_SECONDS } from '../../api/feedback.ts';

/** The toast of spec §8 for the pages before login, which do not load antd. */
export const PublicFeedback = () => {
  // A new object for each toast, so that a repeated text restarts the timer.
  const [toast, setToast] = useState<{ text: string }>();
  useEffect(() => {
    const show = (text: string) => setToast({ text });
    return registerPresenter({ failed: show, succeeded: show, tokenExpired: restartAtLogin });
  }, []);
  useEffect(() => {
    if (toast === undefined) return;
    const timer = setTimeout(() => setToast(undefined), TOAST_SECONDS * 1_000);
    return () => clearTimeout(timer);
  }, [toast]);
  return (
    <div role="status" className="dc-toast">
      {toast?.text}
    </div>
  );
};
