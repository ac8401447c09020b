import { nodeEnv } from './node.mjs';

const SETTINGS = /^(PG[A-Z]+|DATABASE_URL|TEST_DATABASE_URL|DATA_DIR|PORT|HOST|MQTT_PORT|SECRET_KEY|SMTP_URL)$/;

/** Environment of tests, without the developer's settings: tests must never use a developer's DATABASE_URL. */
export const testEnv = (more = {}) => {
  const env = nodeEnv();
  for (const name of Object.keys(env)) if (SETTINGS.test(name)) delete env[name];
  return { ...env, ...more };
};
