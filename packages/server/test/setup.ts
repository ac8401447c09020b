import { afterAll } from 'vitest';
import { killLeftHubs } from './hub-process.ts';

afterAll(killLeftHubs);
