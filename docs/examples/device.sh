#!/usr/bin/env bash
# A device of stock programs: bash, curl, openssl and Mosquitto's clients. It logs in, says that it is online, reports a
# property, waits for one command and answers it. The protocol is in ../device-protocol.md.
#
#   HUB_URL=http://127.0.0.1:8080 PRODUCT_ID=… DEVICE_ID=… SECRET=… ./device.sh
#
# SECRET       the device's secret, or its product's for the first log-in
# SECRET_FILE  where the secret that the hub then gives is kept; it is read instead of SECRET once it is there
# SIGN_METHOD  hmacsha256 (default) or md5
# PROPERTIES   what to report, JSON                [{"power":true}]
# WAIT         seconds to wait for a command       [60]
# CA_FILE      certificates to trust, where the hub has TLS
set -euo pipefail

: "${HUB_URL:?}" "${PRODUCT_ID:?}" "${DEVICE_ID:?}"
SIGN_METHOD=${SIGN_METHOD:-hmacsha256}
PROPERTIES=${PROPERTIES:-'{"power":true}'}
WAIT=${WAIT:-60}
if [[ -n ${SECRET_FILE:-} && -s $SECRET_FILE ]]; then SECRET=$(<"$SECRET_FILE"); fi
: "${SECRET:?}"

step() { printf '%s\n' "$*"; }
fail() {
  printf 'device.sh: %s\n' "$*" >&2
  exit 1
}
now_ms() { date +%s%3N; }

# --- JSON: the few shapes that the hub sends; a real device has a parser ---
text_of() { sed -nE 's/.*"'"$1"'":"(([^"\\]|\\.)*)".*/\1/p' <<<"$2"; }
number_of() { sed -nE 's/.*"'"$1"'":(-?[0-9]+).*/\1/p' <<<"$2"; }
# Quoted for backslash and quote alone: what this script sends holds nothing else to escape.
quoted() { sed -e 's/\\/\\\\/g' -e 's/"/\\"/g' <<<"$1"; }
unquoted() { sed -e 's/\\\(["\\/]\)/\1/g' <<<"$1"; }

# --- Signatures ---
bytes_in() { printf '%s' "$1" | wc -c | tr -d ' '; }
md5_of() { printf '%s' "$1" | openssl dgst -md5 -r | cut -d' ' -f1; }
sha256_of() { printf '%s' "$1" | openssl dgst -sha256 -r | cut -d' ' -f1; }
hmac_of() { printf '%s' "$1" | openssl dgst -sha256 -hmac "$SECRET" -r | cut -d' ' -f1; }

# The name=value lines in ASCII order of the names, without those that have no value.
signing_text() { printf '%s\n' "$@" | grep -v '^[A-Za-z]*=$' | LC_ALL=C sort; }

sign() {
  local text
  text=$(signing_text "$@")
  if [[ $SIGN_METHOD == md5 ]]; then md5_of "$text"$'\n'"$SECRET"; else hmac_of "$text"; fi
}

digest_of() {
  if [[ -z $1 ]]; then return; fi
  if [[ $SIGN_METHOD == md5 ]]; then md5_of "$1"; else sha256_of "$1"; fi
}

# --- HTTP ---
log_in() {
  local timestamp nonce signature answer given
  timestamp=$(now_ms)
  nonce=$(openssl rand -hex 16)
  signature=$(sign "productId=$PRODUCT_ID" "deviceId=$DEVICE_ID" "timestamp=$timestamp" "nonce=$nonce" \
    "signMethod=$SIGN_METHOD")
  answer=$(curl -sS "${CURL_TLS[@]}" -H 'Content-Type: application/json' -H 'Accept-Language: en-US' \
    "$HUB_URL/api/bucket/login" -d '{"productId":"'"$PRODUCT_ID"'","deviceId":"'"$DEVICE_ID"'","timestamp":'"$timestamp"',
      "nonce":"'"$nonce"'","signMethod":"'"$SIGN_METHOD"'","signature":"'"$signature"'"}')
  TOKEN=$(text_of token "$answer")
  if [[ -z $TOKEN ]]; then fail "log-in refused: $answer"; fi
  SESSION_ID=$(text_of sessionId "$answer")
  TENANT_ID=$(text_of tenantId "$answer")
  given=$(text_of deviceSecret "$answer")
  if [[ -n $given ]]; then keep_secret "$given"; fi
}

# From now on this one signs; the hub shows it once.
keep_secret() {
  SECRET=$1
  if [[ -n ${SECRET_FILE:-} ]]; then (umask 077 && printf '%s' "$SECRET" >"$SECRET_FILE"); fi
}

ask_bucket() {
  local answer
  answer=$(curl -sS "${CURL_TLS[@]}" -H "Authorization: $TOKEN" "$HUB_URL/api/bucket/getConnectBucket")
  HOST=$(text_of host "$answer")
  PORT=$(number_of port "$answer")
  UP=$(text_of up "$answer")
  DOWN=$(text_of down "$answer")
  if [[ -z $HOST ]]; then fail "no bucket: $answer"; fi
  MQTT=(-h "$HOST" -p "$PORT" -i "$DEVICE_ID" -u "$DEVICE_ID" -P "$TOKEN" -k 60 -q 1)
  case $answer in *'"tls":true'*)
    if [[ -n ${CA_FILE:-} ]]; then MQTT+=(--cafile "$CA_FILE"); else MQTT+=(--capath /etc/ssl/certs); fi
    ;;
  esac
}

# --- Messages ---
DATA_ID=10000
# Wills count down from there: the hub tells them from a goodbye by a number below that of `online`.
WILL_ID=9999

# envelope TYPE PAYLOAD, or for an answer: envelope TYPE PAYLOAD DATA_ID CODE
envelope() {
  local type=$1 payload=$2 data_id=${3:-$DATA_ID} code=${4:-} flow=0 timestamp length signature
  if [[ -n $code ]]; then flow=1; fi
  timestamp=$(now_ms)
  length=$(bytes_in "$payload")
  signature=$(sign "dataFlow=$flow" "type=$type" "dataId=$data_id" "deviceId=$DEVICE_ID" "sessionId=$SESSION_ID" \
    "tenantId=$TENANT_ID" "token=$TOKEN" "version=1.0.1" "signMethod=$SIGN_METHOD" "timestamp=$timestamp" \
    "length=$length" "payload=$(digest_of "$payload")" "code=$code")
  printf '{"dataFlow":%s,"type":%s,"dataId":"%s","deviceId":"%s","sessionId":"%s","tenantId":"%s","token":"%s",' \
    "$flow" "$type" "$data_id" "$DEVICE_ID" "$SESSION_ID" "$TENANT_ID" "$TOKEN"
  printf '"version":"1.0.1","signMethod":"%s","timestamp":%s,"length":%s,"payload":"%s",' \
    "$SIGN_METHOD" "$timestamp" "$length" "$(quoted "$payload")"
  printf '%s"signature":"%s"}' "${code:+\"code\":$code,}" "$signature"
}

# Whether the hub itself signed this request.
is_genuine() {
  local payload
  payload=$(unquoted "$(text_of payload "$1")")
  [[ $(text_of signature "$1") == "$(sign "dataFlow=0" "type=$(number_of type "$1")" "dataId=$(text_of dataId "$1")" \
    "deviceId=$(text_of deviceId "$1")" "sessionId=$(text_of sessionId "$1")" "tenantId=$(text_of tenantId "$1")" \
    "version=$(text_of version "$1")" "signMethod=$SIGN_METHOD" "timestamp=$(number_of timestamp "$1")" \
    "length=$(bytes_in "$payload")" "payload=$(digest_of "$payload")")" ]]
}

# A device has one connection, and the next replaces it. So these programs take turns: mosquitto_rr sends a request and
# waits for the answer, mosquitto_pub sends, mosquitto_sub receives and is ended before the next begins.
say_online() {
  local answer
  answer=$(mosquitto_rr "${MQTT[@]}" -V 311 -W 20 -t "$UP" -e "$DOWN" -m "$(envelope 1 '{"op":"online","versionNumber":"1.0.0"}')")
  if [[ $(number_of code "$answer") != 200 ]]; then fail "not online: $answer"; fi
  DATA_ID=$((DATA_ID + 1))
}

report() {
  mosquitto_pub "${MQTT[@]}" -t "$UP" -m "$(envelope 2 '{"properties":'"$PROPERTIES"'}')"
  DATA_ID=$((DATA_ID + 1))
}

RECEIVER_ID=''
end_receiver() {
  if [[ -z $RECEIVER_ID ]]; then return; fi
  kill "$RECEIVER_ID" 2>/dev/null || true
  wait "$RECEIVER_ID" 2>/dev/null || true
  RECEIVER_ID=''
}
# Left alone it would reconnect for ever, and replace whoever comes next.
trap end_receiver EXIT

# Leaves the first request in COMMAND. With -d the program also says when its subscription stands; into a pipe it would
# say so late, hence stdbuf.
wait_for_command() {
  local line='' will
  will=$(DATA_ID=$WILL_ID envelope 1 '{"op":"offline"}')
  WILL_ID=$((WILL_ID - 1))
  coproc RECEIVER {
    exec stdbuf -oL mosquitto_sub "${MQTT[@]}" -d -t "$DOWN" --will-topic "$UP" --will-payload "$will" --will-qos 1
  }
  RECEIVER_ID=$RECEIVER_PID
  COMMAND=''
  while IFS= read -r -t "$WAIT" line <&"${RECEIVER[0]}"; do
    case $line in
    Subscribed*) step "waiting for a command" ;;
    '{'*'"dataFlow":0,'*'"type":'[245]','*) COMMAND=$line && break ;;
    esac
  done
  end_receiver
  if [[ -z $COMMAND ]]; then fail "no command within $WAIT seconds"; fi
}

# Whether the hub has ended the session: there is nothing to answer with, only another login.
is_kick() { [[ $(number_of type "$COMMAND") == 4 && $(unquoted "$(text_of payload "$COMMAND")") == '{"service":"kick",'* ]]; }

leave_until_allowed() {
  local until
  until=$(number_of untilTime "$(unquoted "$(text_of payload "$COMMAND")")")
  step "kicked"
  while ((${until:-0} > $(now_ms))); do sleep 1; done
}

# A lamp would switch itself here; this one says that it did as it was told.
output_for() {
  case $1 in
  '{"properties":'*) printf '%s' "$1" ;;
  '{}') printf '{"versionNumber":"1.0.0"}' ;;
  '{"get":'*) printf '{"properties":%s}' "$PROPERTIES" ;;
  *) printf '{"output":{}}' ;;
  esac
}

answer_command() {
  local type payload
  type=$(number_of type "$COMMAND")
  payload=$(unquoted "$(text_of payload "$COMMAND")")
  step "command: $payload"
  mosquitto_pub "${MQTT[@]}" -t "$UP" -m "$(envelope "$type" "$(output_for "$payload")" "$(text_of dataId "$COMMAND")" 200)"
}

CURL_TLS=()
if [[ -n ${CA_FILE:-} ]]; then CURL_TLS=(--cacert "$CA_FILE"); fi

come_online() {
  log_in
  step "logged in, session $SESSION_ID"
  ask_bucket
  step "bucket: $HOST:$PORT $UP"
  say_online
  step "online"
  report
  step "reported $PROPERTIES"
}

come_online
while true; do
  wait_for_command
  if ! is_genuine "$COMMAND"; then fail "its signature is wrong"; fi
  if is_kick; then
    leave_until_allowed
    come_online
    continue
  fi
  answer_command
  step "answered"
  # The hub asks for the identity now and then, to see whether a silent device is there.
  if [[ $(number_of type "$COMMAND") != 5 ]]; then break; fi
done
