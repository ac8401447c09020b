import { nodeEnv } from './node.mjs';

const SETTINGS = /^(PG[A-Z]+|DATABASE_URL|TEST_DATABASE_URL|DATA_DIR|PORT|HOST|MQTT_PORT|SECRET_KEY|SMTP_URL)$/;

/** The environment of tests. It has no settings of the developer: a DATABASE_URL must never reach a test. */
export const testEnv = (more = {}) => {
  const env = nodeEnv();
  for (const name of Object.keys(env)) if (SETTINGS.test(name)) delete env[name];
  return { ...env, ...more };
};
