/** A throw-away PostgreSQL server. */
export type PostgresServer = {
  url: string;
  stop: () => Promise<void>;
  kill: () => Promise<void>;
  startAgain: () => Promise<void>;
};

export const startPostgres: () => Promise<PostgresServer>;
