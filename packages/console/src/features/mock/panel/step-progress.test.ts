import type { Step } from '@device-center/virtual-device';
import { beforeAll, describe, expect, it } from 'vitest';
import { loadLazyTexts } from '../../../i18n/lazy.ts';
import { explainFailure } from './failure-texts.ts';
import { began, ended, isUnderWay, lost, nothingYet, type Progress, stepKeys } from './step-progress.ts';

const kinds = (progress: Progress) => stepKeys.map((key) => progress[key].kind);
const good = (progress: Progress, ...steps: Step['step'][]): Progress =>
  steps.reduce((state, step) => ended(began(state, { step }), { step, ok: true }, 7), progress);
const online = good(nothingYet, 'login', 'bucket', 'connect', 'subscribe', 'online');

describe('the three steps', () => {
  it('are the five of the device: two of them have two parts', () => {
    expect(kinds(began(nothingYet, { step: 'login' }))).toEqual(['working', 'idle', 'idle']);
    expect(kinds(good(nothingYet, 'login', 'bucket'))).toEqual(['done', 'working', 'idle']);
    expect(kinds(good(nothingYet, 'login', 'bucket', 'connect', 'subscribe'))).toEqual(['done', 'done', 'working']);
    expect(kinds(online)).toEqual(['done', 'done', 'done']);
    expect(online.login).toEqual({ kind: 'done', at: 7 });
    expect(isUnderWay(online)).toBe(false);
  });

  // Spec 4.55
  it('a failure stays where it was, with its reason, until the step is taken again', () => {
    const failed = ended(
      began(online, { step: 'bucket' }),
      { step: 'bucket', ok: false, code: 40101, word: 'TOKEN_INVALID', message: 'x' },
      9,
    );
    expect(kinds(failed)).toEqual(['done', 'failed', 'idle']);
    expect(failed.connect).toEqual({
      kind: 'failed',
      at: 9,
      failure: { code: 40101, word: 'TOKEN_INVALID', message: 'x' },
    });
    expect(kinds(began(failed, { step: 'login' }))).toEqual(['working', 'idle', 'idle']);
  });

  // Spec 4.56, 8.28, 8.29
  it('the steps fail each by itself: log-in, connection, subscription', () => {
    const failure = { message: 'no' };
    const failedAt = (progress: Progress, step: Step['step']) =>
      kinds(ended(began(progress, { step }), { step, ok: false, ...failure }, 9));
    expect(failedAt(nothingYet, 'login')).toEqual(['failed', 'idle', 'idle']);
    expect(failedAt(good(nothingYet, 'login', 'bucket'), 'connect')).toEqual(['done', 'failed', 'idle']);
    expect(failedAt(good(nothingYet, 'login', 'bucket', 'connect'), 'subscribe')).toEqual(['done', 'done', 'failed']);
  });

  it('a log-in that is passed over, since the token is good, counts as done', () => {
    const resumed = began(nothingYet, { step: 'bucket' });
    expect(resumed.login).toEqual({ kind: 'done', at: null });
    expect(began(online, { step: 'bucket' }).login).toEqual({ kind: 'done', at: 7 });
  });

  // Spec 8.28
  it('a lost connection is a failure; one that was ended on purpose is none', () => {
    const deviceId = 'd';
    expect(kinds(lost(online, { deviceId, reason: 'connection lost' }, 8))).toEqual(['done', 'failed', 'idle']);
    expect(kinds(lost(online, { deviceId, reason: 'reconnecting' }, 8))).toEqual(['done', 'idle', 'idle']);
  });
});

describe('why a step failed, in words', () => {
  beforeAll(() => Promise.all([loadLazyTexts('mockPanel'), loadLazyTexts('deviceDetail')]));

  it('names number, word and sentence of the hub’s refusals, and what can be done', () => {
    expect(explainFailure({ code: 40301, word: 'BLACKLISTED', message: 'The device is on the blacklist' })).toEqual({
      code: '40301 BLACKLISTED',
      said: 'The device is on the blacklist',
      remedy: 'Take the device off the blacklist',
      detail: '',
    });
    expect(explainFailure({ code: 40005, word: 'VALUE', message: 'power: must be true or false' }).detail).toBe(
      'power: must be true or false',
    );
  });

  it('keeps a number that only its message explains', () => {
    expect(explainFailure({ code: 50200, word: '50200', message: 'Bad gateway' })).toMatchObject({
      code: '50200',
      said: 'Bad gateway',
    });
  });

  it('tells plainly of networks that fail', () => {
    expect(explainFailure({ message: 'Failed to fetch' })).toMatchObject({
      said: 'The hub cannot be reached',
      detail: 'Failed to fetch',
    });
    expect(explainFailure({ message: 'signal timed out' }).said).toBe('The hub did not answer in time');
    expect(explainFailure({ message: 'message not delivered: unanswered' }).said).toBe(
      'The hub did not answer in time',
    );
    expect(explainFailure({ message: 'connection lost' })).toMatchObject({
      said: 'The connection was lost',
      detail: '',
    });
  });

  it('knows the reason codes with which the hub ends a connection', () => {
    expect(explainFailure({ message: 'x', reasonCode: 142 }).said).toMatch(/replaced|took/i);
    expect(explainFailure({ message: 'x', reasonCode: 152 }).said).toBe('The hub ended the connection');
    expect(explainFailure({ message: 'something new', reasonCode: 199 }).said).toBe('something new');
  });
});
