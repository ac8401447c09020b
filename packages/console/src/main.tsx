import '@fontsource-variable/inter/wght.css';
import '@fontsource-variable/jetbrains-mono/wght.css';
import './ui/styles/tokens.css';
import './ui/styles/frame.css';
import './ui/styles/sidebar.css';
import './ui/styles/palette.css';
import './ui/styles/list.css';
import './ui/styles/states.css';
import './ui/styles/form.css';
import './ui/styles/public.css';
import { createRoot } from 'react-dom/client';
import { z } from 'zod';
import { watchOtherTabs } from './api/session.ts';
import { ConsoleApp } from './app/console-app.tsx';
import { scaleRootFont } from './app/root-font.ts';
import { watchHub } from './hub-watch.ts';
import { startTexts } from './i18n/start.ts';
import { addNonceToStyles, readNonce } from './ui/nonce.ts';

// The content security policy forbids `new Function`, which zod uses unless it is told not to.
z.config({ jitless: true });

const root = document.getElementById('root');
if (!root) throw new Error('index.html has no #root');

const nonce = readNonce();
if (nonce !== undefined) addNonceToStyles(nonce);
scaleRootFont();
watchOtherTabs();
watchHub();
await startTexts();
createRoot(root).render(<ConsoleApp />);
