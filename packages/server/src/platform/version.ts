import { readFileSync } from 'node:fs';
import { assetUrl } from './locations.ts';

const manifest = readFileSync(assetUrl('../../../package.json'), 'utf8');

export const VERSION = (JSON.parse(manifest) as { version: string }).version;
