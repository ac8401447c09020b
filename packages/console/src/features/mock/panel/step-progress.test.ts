import type { Step } from '@device-center/virtual-device';
import { beforeAll, describe, expect, it } from 'vitest';
import { loadLazyTexts } from '../../../i18n/lazy.ts';
import { explainFailure } from './failure-texts.ts';
import {
  connectionLost,
  initialProgress,
  isInProgress,
  type Progress,
  stepEnded,
  stepKeys,
  stepStarted,
} from './step-progress.ts';

const kinds = (progress: Progress) => stepKeys.map((key) => progress[key].kind);
const good = (progress: Progress, ...steps: Step['step'][]): Progress =>
  steps.reduce((state, step) => stepEnded(stepStarted(state, { step }), { step, ok: true }, 7), progress);
const online = good(initialProgress, 'login', 'bucket', 'connect', 'subscribe', 'online');

describe('step progress', () => {
  it('maps the five steps of the device to three', () => {
    expect(kinds(stepStarted(initialProgress, { step: 'login' }))).toEqual(['working', 'idle', 'idle']);
    expect(kinds(good(initialProgress, 'login', 'bucket'))).toEqual(['done', 'working', 'idle']);
    expect(kinds(good(initialProgress, 'login', 'bucket', 'connect', 'subscribe'))).toEqual([
      'done',
      'done',
      'working',
    ]);
    expect(kinds(online)).toEqual(['done', 'done', 'done']);
    expect(online.login).toEqual({ kind: 'done', at: 7 });
    expect(isInProgress(online)).toBe(false);
  });

  // Spec 4.55
  it('keeps a failure with its reason until the step is repeated', () => {
    const failed = stepEnded(
      stepStarted(online, { step: 'bucket' }),
      { step: 'bucket', ok: false, code: 40101, word: 'TOKEN_INVALID', message: 'x' },
      9,
    );
    expect(kinds(failed)).toEqual(['done', 'failed', 'idle']);
    expect(failed.connect).toEqual({
      kind: 'failed',
      at: 9,
      failure: { code: 40101, word: 'TOKEN_INVALID', message: 'x' },
    });
    expect(kinds(stepStarted(failed, { step: 'login' }))).toEqual(['working', 'idle', 'idle']);
  });

  // Spec 4.56, 8.28, 8.29
  it('fails login, connection and subscription separately', () => {
    const failure = { message: 'no' };
    const failedAt = (progress: Progress, step: Step['step']) =>
      kinds(stepEnded(stepStarted(progress, { step }), { step, ok: false, ...failure }, 9));
    expect(failedAt(initialProgress, 'login')).toEqual(['failed', 'idle', 'idle']);
    expect(failedAt(good(initialProgress, 'login', 'bucket'), 'connect')).toEqual(['done', 'failed', 'idle']);
    expect(failedAt(good(initialProgress, 'login', 'bucket', 'connect'), 'subscribe')).toEqual([
      'done',
      'done',
      'failed',
    ]);
  });

  it('marks a login as done if it is skipped because of a valid token', () => {
    const resumed = stepStarted(initialProgress, { step: 'bucket' });
    expect(resumed.login).toEqual({ kind: 'done', at: null });
    expect(stepStarted(online, { step: 'bucket' }).login).toEqual({ kind: 'done', at: 7 });
  });

  // Spec 8.28
  it('treats a lost connection as a failure, but not an intended disconnect', () => {
    const deviceId = 'd';
    expect(kinds(connectionLost(online, { deviceId, reason: 'connection lost' }, 8))).toEqual([
      'done',
      'failed',
      'idle',
    ]);
    expect(kinds(connectionLost(online, { deviceId, reason: 'reconnecting' }, 8))).toEqual(['done', 'idle', 'idle']);
  });
});

describe('explainFailure', () => {
  beforeAll(() => Promise.all([loadLazyTexts('mockPanel'), loadLazyTexts('deviceDetail')]));

  it('shows code, name, message and remedy of an error of the hub', () => {
    expect(explainFailure({ code: 40301, word: 'BLACKLISTED', message: 'The device is on the blacklist' })).toEqual({
      code: '40301 BLACKLISTED',
      summary: 'The device is on the blacklist',
      remedy: 'Remove the device from the blacklist',
      detail: '',
    });
    expect(explainFailure({ code: 40005, word: 'VALUE', message: 'power: must be true or false' }).detail).toBe(
      'power: must be true or false',
    );
  });

  it('shows the message of an unknown code', () => {
    expect(explainFailure({ code: 50200, word: '50200', message: 'Bad gateway' })).toMatchObject({
      code: '50200',
      summary: 'Bad gateway',
    });
  });

  it('explains network failures', () => {
    expect(explainFailure({ message: 'Failed to fetch' })).toMatchObject({
      summary: 'Cannot reach the platform',
      detail: 'Failed to fetch',
    });
    expect(explainFailure({ message: 'signal timed out' }).summary).toBe('The platform did not respond in time');
    expect(explainFailure({ message: 'message not delivered: unanswered' }).summary).toBe(
      'The platform did not respond in time',
    );
    expect(explainFailure({ message: 'connection lost' })).toMatchObject({
      summary: 'Connection lost',
      detail: '',
    });
  });

  it('explains the reason codes of a DISCONNECT', () => {
    expect(explainFailure({ message: 'x', reasonCode: 142 }).summary).toMatch(/replaced|took/i);
    expect(explainFailure({ message: 'x', reasonCode: 152 }).summary).toBe('Disconnected by the platform');
    expect(explainFailure({ message: 'something new', reasonCode: 199 }).summary).toBe('something new');
  });
});
