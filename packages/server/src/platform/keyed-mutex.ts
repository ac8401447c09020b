import { AppError } from './app-error.ts';

/** One piece of work of a key after the other, in the order in which they came. Keys do not wait for each other. */
export const createTurns = () => {
  const last = new Map<string, Promise<unknown>>();
  return async <Result>(key: string, work: () => Promise<Result>): Promise<Result> => {
    const turn = (last.get(key) ?? Promise.resolve()).then(work, work);
    last.set(key, turn);
    try {
      return await turn;
    } finally {
      if (last.get(key) === turn) last.delete(key);
    }
  };
};

type Places = { max: number; maxOfOne: number };

/**
 * Work of which one piece is done at a time. Owners take turns at it, and none can take the places of all others:
 * whoever finds none is refused.
 */
export const createFairTurns = ({ max, maxOfOne }: Places) => {
  const turns = createTurns();
  const taken = new Map<string, number>();
  let all = 0;
  const take = (owner: string, places: 1 | -1): void => {
    const own = (taken.get(owner) ?? 0) + places;
    all += places;
    if (own === 0) taken.delete(owner);
    else taken.set(owner, own);
  };
  return async <Result>(owner: string, work: () => Promise<Result>): Promise<Result> => {
    if (all >= max || (taken.get(owner) ?? 0) >= maxOfOne) throw new AppError('TOO_MANY_REQUESTS');
    take(owner, 1);
    try {
      return await turns(`of ${owner}`, () => turns('', work));
    } finally {
      take(owner, -1);
    }
  };
};
