// Publishes the lines of a file at once with the Eclipse paho client for JavaScript, and says how that went as JSON.
//   node burst.mjs FILE URL CLIENT_ID TOKEN TOPIC
import { readFileSync } from 'node:fs';
import Paho from 'paho-mqtt';

const [file, url, clientId, token, topic] = process.argv.slice(2);
const lines = readFileSync(file, 'utf8').split('\n');
const client = new Paho.Client(url, clientId);
const disconnects = [];
let acknowledged = 0;

const end = () => {
  process.stdout.write(JSON.stringify({ acknowledged, disconnects }), () => process.exit());
};
client.onMessageDelivered = () => {
  acknowledged++;
  if (acknowledged < lines.length) return;
  client.onConnectionLost = () => end();
  client.disconnect();
};
client.onConnectionLost = ({ errorMessage }) => {
  disconnects.push(errorMessage);
  end();
};
client.connect({
  userName: clientId,
  password: token,
  onSuccess: () => {
    for (const line of lines) client.send(topic, line, 1);
  },
  onFailure: ({ errorMessage }) => {
    disconnects.push(errorMessage);
    end();
  },
});
