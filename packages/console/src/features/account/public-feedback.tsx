import { useEffect, useState } from 'react';
import { presentWith, startAgain, TOAST_SECONDS } from '../../api/feedback.ts';

/** The toast of spec §8 for the pages before the log-in, which do without antd. */
export const PublicFeedback = () => {
  const [text, setText] = useState('');
  useEffect(() => presentWith({ failed: setText, succeeded: setText, tokenExpired: startAgain }), []);
  useEffect(() => {
    const timer = setTimeout(() => setText(''), TOAST_SECONDS * 1_000);
    return () => clearTimeout(timer);
  });
  return (
    <div role="status" className="dc-toast">
      {text}
    </div>
  );
};
