export { createFileStorage } from './file-storage.ts';
