import {
  checkValue,
  type DataType,
  MessageType,
  PROTOCOL_VERSION,
  type SignMethod,
  utf8Bytes,
} from '@device-center/contract';

/** A valid sample value of a simple data type; undefined for other types. */
const sampleOf = (type: DataType): unknown => {
  switch (type.type) {
    case 'boolean':
      return true;
    case 'integer':
    case 'double':
      return type.min ?? Math.min(0, type.max ?? 0);
    case 'long':
      return type.min ?? '0';
    case 'enum':
      return type.items[0]?.value;
    case 'string':
      return 'hello'.slice(0, type.length);
    default:
      return undefined;
  }
};

export type Property = { signCode: string; dataType: DataType; accessMode: string };

/** A first report, of the first property that a device may report and that has a simple data type. */
export const firstReport = (properties: readonly Property[]): Record<string, unknown> | undefined => {
  for (const { signCode, dataType, accessMode } of properties) {
    const value = sampleOf(dataType);
    if (accessMode !== 'w' && value !== undefined && checkValue(dataType, value).length === 0)
      return { [signCode]: value };
  }
  return undefined;
};

const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;

/** A call of the script's `message` function with payload, payload as JSON string, and length in bytes. */
const messageLine = (dataId: number, type: number, content: unknown): string => {
  const payload = JSON.stringify(content);
  return `  message ${dataId} ${type} ${quoted(payload)} ${quoted(JSON.stringify(payload))} ${utf8Bytes(payload)}`;
};

const signing: Record<SignMethod, { tool: string; hash: string; sign: string }> = {
  md5: {
    tool: 'md5sum',
    hash: "md5sum | cut -d' ' -f1",
    sign: `printf '%s\\n%s' "$1" "$SECRET" | hash`,
  },
  hmacsha256: {
    tool: 'openssl',
    hash: "openssl dgst -sha256 -r | cut -d' ' -f1",
    sign: `printf '%s' "$1" | openssl dgst -sha256 -hmac "$SECRET" -r | cut -d' ' -f1`,
  },
};

type ScriptParts = {
  hub: string;
  productId: string;
  deviceId: string;
  deviceSecret: string;
  signMethod: SignMethod;
  report: Record<string, unknown> | undefined;
  /** Comments in the script, in the user's language. */
  texts: { needs: (tool: string) => string; stays: string; will: string; alive: string };
};

/** Login, bucket, connection and first messages with standard Linux tools: the protocol line by line. */
export const shellScript = ({ hub, productId, deviceId, deviceSecret, signMethod, report, texts }: ScriptParts) => {
  const { tool, hash, sign } = signing[signMethod];
  // In a shell of its own: when it is pasted into a terminal, an early exit must not close the terminal.
  return `sh <<'END'
# ${texts.needs(tool)}
# ${texts.stays}
HUB=${quoted(hub)}
PRODUCT=${quoted(productId)}
DEVICE=${quoted(deviceId)}
SECRET=${quoted(deviceSecret)}

hash() { ${hash}; }
sign() { ${sign}; }
field() { printf '%s' "$1" | sed -n 's/.*"'"$2"'":"\\{0,1\\}\\([^",}]*\\).*/\\1/p'; }

now="$(date +%s)000"
nonce="$now$$"
signature=$(sign "deviceId=$DEVICE
nonce=$nonce
productId=$PRODUCT
signMethod=${signMethod}
timestamp=$now")
login=$(curl -sS "$HUB/api/bucket/login" -H 'Content-Type: application/json' -d "{\\"productId\\":\\"$PRODUCT\\",\\"deviceId\\":\\"$DEVICE\\",\\"timestamp\\":$now,\\"nonce\\":\\"$nonce\\",\\"signMethod\\":\\"${signMethod}\\",\\"signature\\":\\"$signature\\"}")
token=$(field "$login" token)
session=$(field "$login" sessionId)
tenant=$(field "$login" tenantId)
[ -n "$token" ] || { echo "$login" >&2; exit 1; }

bucket=$(curl -sS "$HUB/api/bucket/getConnectBucket" -H "Authorization: $token")
host=$(field "$bucket" host)
port=$(field "$bucket" port)
topic=$(field "$bucket" up)
[ -n "$topic" ] || { echo "$bucket" >&2; exit 1; }
[ "$(field "$bucket" tls)" = true ] && set -- --tls-use-os-certs

message() { # dataId type payload payload-as-JSON bytes
  signature=$(sign "dataFlow=0
dataId=$1
deviceId=$DEVICE
length=$5
payload=$(printf '%s' "$3" | hash)
sessionId=$session
signMethod=${signMethod}
tenantId=$tenant
timestamp=$now
token=$token
type=$2
version=${PROTOCOL_VERSION}")
  printf '{"dataFlow":0,"dataId":"%s","type":%s,"deviceId":"%s","sessionId":"%s","tenantId":"%s","version":"${PROTOCOL_VERSION}","signMethod":"${signMethod}","token":"%s","timestamp":%s,"length":%s,"payload":%s,"signature":"%s"}\\n' \\
    "$1" "$2" "$DEVICE" "$session" "$tenant" "$token" "$now" "$5" "$4" "$signature"
}

# ${texts.will}
will=$(${messageLine(9_999, MessageType.login, { op: 'offline' }).trim()})

{
${messageLine(10_000, MessageType.login, { op: 'online', versionNumber: '1.0.0' })}
${report ? `${messageLine(10_001, MessageType.config, { properties: report })}\n` : ''}  # ${texts.alive}
  next=10002
  while sleep 60; do
    message $next ${MessageType.identity} '{}' '"{}"' 2
    next=$((next + 1))
  done
} | mosquitto_pub -V mqttv311 -h "$host" -p "$port" -i "$DEVICE" -u "$DEVICE" -P "$token" -k 60 -q 1 -t "$topic" --will-topic "$topic" --will-qos 1 --will-payload "$will" "$@" -l
END
`;
};

export const simulatorCommand = ({
  hub,
  productId,
  deviceId,
  deviceSecret,
}: Pick<ScriptParts, 'hub' | 'productId' | 'deviceId' | 'deviceSecret'>): string =>
  `npm run simulate -- --hub ${hub} --product ${productId} --device ${quoted(deviceId)} --device-secret ${deviceSecret}`;
