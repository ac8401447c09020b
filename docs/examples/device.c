/* A lamp in C11 on POSIX sockets, without any library: log-in, MQTT 3.1.1, signatures, a property, services.
 *
 *   cc -std=c11 -Wall -Wextra -pedantic -o device docs/examples/device.c
 *   HUB_URL=http://127.0.0.1:8080 PRODUCT_ID=... DEVICE_ID=... SECRET=... ./device
 *
 * SECRET is the device's secret, or its product's for the first log-in; SECRET_FILE is where the secret that the hub then
 * gives is kept, and is read instead of SECRET once it is there. With --once it ends after the first command. The protocol
 * is in ../device-protocol.md. There is no TLS in here: a device that crosses the internet needs it.
 */
#define _POSIX_C_SOURCE 200809L
#include <fcntl.h>
#include <stdarg.h>
#include <stdlib.h>
#include <time.h>
#include "device-json.h"
#include "device-net.h"
#include "device-sha256.h"

enum { ONLINE = 1, CONFIG = 2, SERVICE = 4, IDENTITY = 5, TRANSPARENT = 7, REFRESH = 9 };
enum { OK = 200, UNSUPPORTED = 60003, MESSAGE = 12288 };
enum { WORD = 512 };

typedef char Word[WORD];
static const char *secret_file;
static Word product, device, secret, hub_host, hub_port;
static Word token, session, tenant, mqtt_host, mqtt_port, up, down;
static int line = -1;                     /* the MQTT connection */
static int unacknowledged;                /* publishes that wait for their PUBACK */
static long long data_id = 10000, refresh_at, heard; /* heard: when the last packet came */
static long long not_before;              /* kicked: no login before this time, in milliseconds */
static Word answered;                     /* the dataId of the last answer, and its payload */
static char answer[PACKET];
static bool power = true, obeyed;

/* --- Small things --- */
static long long milliseconds(clockid_t which) {
  struct timespec t;
  clock_gettime(which, &t);
  return t.tv_sec * 1000LL + t.tv_nsec / 1000000;
}
static long long seconds(void) { return milliseconds(CLOCK_MONOTONIC) / 1000; }

static void step(const char *format, ...) {
  va_list values;
  va_start(values, format);
  vprintf(format, values);
  va_end(values);
  putchar('\n');
  fflush(stdout);
}

static void lasts(long long life_s) { refresh_at = seconds() + life_s * 8 / 10; }

static void random_hex(int bytes, char *text) {
  uint8_t noise[32] = {0};
  int source = open("/dev/urandom", O_RDONLY);
  if (source < 0 || read(source, noise, (size_t)bytes) != bytes) exit(2);
  close(source);
  hex_of(noise, bytes, text);
}

static bool is(const char *text, const char *other) { return strcmp(text, other) == 0; }

/* --- Log-in and bucket --- */
static bool keep_secret(void) {
  if (!secret_file) return true;
  int file = open(secret_file, O_WRONLY | O_CREAT | O_TRUNC, 0600);
  bool kept = file >= 0 && write(file, secret, strlen(secret)) == (ssize_t)strlen(secret) && fsync(file) == 0;
  close(file);
  return kept;
}

static bool log_in(void) {
  static char said[8192];
  char text[2048], body[2048], nonce[33], signature[65];
  Word given, life;
  long long timestamp = milliseconds(CLOCK_REALTIME);
  random_hex(16, nonce);
  snprintf(text, sizeof text, "deviceId=%s\nnonce=%s\nproductId=%s\nsignMethod=hmacsha256\ntimestamp=%lld", device, nonce,
      product, timestamp);
  hmac_sha256_hex(secret, text, signature);
  snprintf(body, sizeof body, "{\"productId\":\"%s\",\"deviceId\":\"%s\",\"timestamp\":%lld,\"nonce\":\"%s\","
      "\"signMethod\":\"hmacsha256\",\"signature\":\"%s\"}", product, device, timestamp, nonce, signature);
  token[0] = 0;
  if (!ask_http((Hub){hub_host, hub_port, token}, "POST", "/api/bucket/login", body, said, sizeof said)) {
    step("log-in refused: %s", field(said, "code", given, WORD));
    return false;
  }
  if (*field(said, "deviceSecret", given, WORD)) {
    strcpy(secret, given);
    if (!keep_secret()) return false;
  }
  field(said, "token", token, WORD);
  field(said, "sessionId", session, WORD);
  field(said, "tenantId", tenant, WORD);
  lasts(atoll(field(said, "expireIn", life, WORD)));
  step("logged in, session %s", session);
  if (!ask_http((Hub){hub_host, hub_port, token}, "GET", "/api/bucket/getConnectBucket", "", said, sizeof said)) return false;
  if (strstr(said, "\"tls\":true")) {
    step("the hub wants TLS, which this example has not");
    return false;
  }
  field(said, "host", mqtt_host, WORD);
  field(said, "port", mqtt_port, WORD);
  field(said, "up", up, WORD);
  field(said, "down", down, WORD);
  return true;
}

/* --- Messages: both directions are signed in the same way, over the fields in this order --- */
typedef struct {
  Word flow, type, id, session, tenant, token, timestamp, code, message;
} Envelope;

static void add_line(char *text, size_t size, const char *name, const char *value) {
  size_t n = strlen(text);
  if (*value) snprintf(text + n, size - n, "%s%s=%s", n ? "\n" : "", name, value);
}

static void sign(const Envelope *it, const char *payload, char signature[65]) {
  char text[8192] = "", digest[65] = "", length[24];
  if (*payload) sha256_hex(payload, digest);
  snprintf(length, sizeof length, "%zu", strlen(payload));
  const char *lines[][2] = {{"code", it->code}, {"dataFlow", it->flow}, {"dataId", it->id}, {"deviceId", device},
      {"length", length}, {"message", it->message}, {"payload", digest}, {"sessionId", it->session},
      {"signMethod", "hmacsha256"}, {"tenantId", it->tenant}, {"timestamp", it->timestamp}, {"token", it->token},
      {"type", it->type}, {"version", "1.0.1"}};
  for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) add_line(text, sizeof text, lines[i][0], lines[i][1]);
  hmac_sha256_hex(secret, text, signature);
}

/* A request, or the answer to one: then with its number and a code. */
static void seal(char message[MESSAGE], int type, const char *payload, const char *answers, int code) {
  char quoted[4096], signature[65];
  size_t n = 0;
  Envelope it = {.flow = "0"};
  snprintf(it.type, WORD, "%d", type);
  snprintf(it.timestamp, WORD, "%lld", milliseconds(CLOCK_REALTIME));
  if (answers) {
    strcpy(it.flow, "1");
    strcpy(it.id, answers);
    snprintf(it.code, WORD, "%d", code);
  } else snprintf(it.id, WORD, "%lld", data_id++);
  strcpy(it.session, session);
  strcpy(it.tenant, tenant);
  strcpy(it.token, token);
  sign(&it, payload, signature);
  for (const char *at = payload; *at && n + 3 < sizeof quoted; at++) {
    if (*at == '"' || *at == '\\') quoted[n++] = '\\';
    quoted[n++] = *at;
  }
  quoted[n] = 0;
  snprintf(message, MESSAGE, "{\"dataFlow\":%s,\"type\":%s,\"version\":\"1.0.1\",\"deviceId\":\"%s\",\"tenantId\":\"%s\","
      "\"sessionId\":\"%s\",\"dataId\":\"%s\",\"token\":\"%s\",\"payload\":\"%s\",\"length\":%zu,\"timestamp\":%s,"
      "\"signMethod\":\"hmacsha256\",%s%s%s\"signature\":\"%s\"}", it.flow, it.type, device, tenant, session, it.id, token,
      quoted, strlen(payload), it.timestamp, answers ? "\"code\":" : "", it.code, answers ? "," : "", signature);
}

static bool tell(int type, const char *payload, const char *answers, int code) {
  char message[MESSAGE];
  seal(message, type, payload, answers, code);
  unacknowledged++;
  return publish(line, up, message);
}

static bool report_into(char *payload, size_t size) {
  return snprintf(payload, size, "{\"properties\":{\"power\":%s}}", power ? "true" : "false") > 0;
}

/* Does what the hub asks, and answers with what now is. */
static bool serve(const Envelope *it, const char *payload) {
  int type = atoi(it->type), code = OK;
  char said[256] = "{}";
  Word service;
  if (type != CONFIG && type != SERVICE && type != IDENTITY && type != TRANSPARENT) return true;
  step("command: %s", payload);
  if (type == CONFIG) {
    if (strstr(payload, "\"power\":true")) power = true;
    if (strstr(payload, "\"power\":false")) power = false;
    report_into(said, sizeof said);
  } else if (type == IDENTITY) strcpy(said, "{\"versionNumber\":\"1.0.0\",\"hardware\":\"example\",\"sdk\":\"C\"}");
  else if (type == SERVICE) {
    field(payload, "service", service, WORD);
    if (is(service, "kick")) { /* the token is no longer valid: nothing to answer with */
      Word until;
      not_before = atoll(field(payload, "untilTime", until, WORD));
      send_packet(line, DISCONNECT, NULL, 0);
      return false;
    }
    if (is(service, "restart") || is(service, "logLevel") || is(service, "logSwitch")) strcpy(said, "{\"output\":{}}");
    else code = UNSUPPORTED;
  }
  if (!tell(type, said, it->id, code)) return false;
  step("answered %d", code);
  obeyed = obeyed || type == CONFIG || type == SERVICE;
  return true;
}

static bool hear(const char *json) {
  static char payload[PACKET];
  char signature[65];
  Envelope it;
  Word theirs;
  field(json, "payload", payload, sizeof payload);
  field(json, "dataFlow", it.flow, WORD), field(json, "type", it.type, WORD), field(json, "dataId", it.id, WORD);
  field(json, "sessionId", it.session, WORD), field(json, "tenantId", it.tenant, WORD), field(json, "token", it.token, WORD);
  field(json, "timestamp", it.timestamp, WORD), field(json, "code", it.code, WORD), field(json, "message", it.message, WORD);
  sign(&it, payload, signature);
  if (!is(signature, field(json, "signature", theirs, WORD))) {
    step("dropped a message that the hub did not sign");
    return true;
  }
  if (is(it.flow, "0")) return serve(&it, payload);
  strcpy(answered, it.id);
  strcpy(answer, payload);
  if (!is(it.code, "200")) step("refused %s: %s", it.code, it.message);
  return true;
}

/* Takes one packet, if one comes within this time. False when the connection is lost. */
static bool attend(int wait_s) {
  static uint8_t body[PACKET];
  size_t length;
  int kind = next_packet(line, body, sizeof body - 1, &length, wait_s);
  if (kind < 0) return false;
  if (kind == 0) return true;
  heard = seconds();
  if (kind == PUBACK) unacknowledged--;
  if ((kind & 0xf0) != PUBLISH || length < 4) return true;
  size_t topic = 2 + (size_t)(body[0] << 8 | body[1]), id = (kind & 6) ? 2 : 0;
  if (topic + id > length) return false;
  body[length] = 0;
  if (id && !send_packet(line, PUBACK, body + topic, 2)) return false;
  return hear((char *)body + topic + id);
}

static bool settle(void) {
  for (long long until = seconds() + PATIENCE; unacknowledged > 0;)
    if (seconds() > until || !attend(1)) return false;
  return true;
}

/* Sends a request and waits for its answer. */
static bool ask(int type, const char *payload) {
  Word id;
  snprintf(id, WORD, "%lld", data_id);
  answered[0] = 0;
  if (!tell(type, payload, NULL, 0)) return false;
  for (long long until = seconds() + PATIENCE; !is(answered, id);)
    if (seconds() > until || !attend(1)) return false;
  return true;
}

static bool refresh(void) {
  Word life;
  if (!ask(REFRESH, "{}") || !*field(answer, "token", life, WORD)) return false;
  strcpy(token, life);
  lasts(atoll(field(answer, "expireIn", life, WORD)));
  step("token refreshed, good for %s s", life);
  return true;
}

static bool await_packet(int kind, int code_at) {
  uint8_t body[64];
  size_t length;
  return next_packet(line, body, sizeof body, &length, PATIENCE) == kind && length > (size_t)code_at && body[code_at] < 2;
}

/* One connection, from log-in to loss. True when there is nothing more to do. */
static bool live(bool once) {
  char payload[256], will[MESSAGE];
  if (!log_in() || (line = dial(mqtt_host, mqtt_port)) < 0) return false;
  seal(will, ONLINE, "{\"op\":\"offline\"}", NULL, 0);
  if (!say_connect(line, device, token, up, will) || !await_packet(CONNACK, 1)) return false;
  if (!say_subscribe(line, down) || !await_packet(SUBACK, 2)) return false;
  unacknowledged = 0;
  if (!ask(ONLINE, "{\"op\":\"online\",\"versionNumber\":\"1.0.0\"}")) return false;
  step("online");
  report_into(payload, sizeof payload);
  if (!tell(CONFIG, payload, NULL, 0) || !settle() || !refresh()) return false;
  step("waiting for a command");
  while (!(once && obeyed)) {
    if (!attend(1)) return false;
    if (seconds() >= refresh_at && !refresh()) return false;
    if (seconds() - heard > KEEP_ALIVE + PATIENCE) return false;
    if (seconds() - heard > KEEP_ALIVE / 2 && !send_packet(line, PINGREQ, NULL, 0)) return false;
  }
  return settle() && ask(ONLINE, "{\"op\":\"offline\"}") && send_packet(line, DISCONNECT, NULL, 0);
}

static void set(char *to, const char *name) {
  const char *value = getenv(name);
  if (value) snprintf(to, WORD, "%s", value);
}

int main(int count, char **words) {
  bool once = count > 1 && is(words[1], "--once");
  const char *url = getenv("HUB_URL");
  char noise[9];
  set(product, "PRODUCT_ID"), set(device, "DEVICE_ID"), set(secret, "SECRET");
  secret_file = getenv("SECRET_FILE");
  FILE *kept = secret_file ? fopen(secret_file, "r") : NULL;
  if (kept && fscanf(kept, "%511s", secret) != 1) return 2;
  if (kept) fclose(kept);
  if (!url || sscanf(url, "http://%500[^:/]:%7[0-9]", hub_host, hub_port) < 1 || !*product || !*device || !*secret) {
    fprintf(stderr, "HUB_URL (http://host:port), PRODUCT_ID, DEVICE_ID and SECRET are needed\n");
    return 2;
  }
  if (!*hub_port) strcpy(hub_port, "80");
  for (int attempt = 0;; attempt++) {
    long long began = seconds();
    if (live(once)) return 0;
    close(line);
    line = -1;
    step("failed or lost");
    if (once) return 1;
    if (seconds() - began > 60) attempt = 0;
    /* Full jitter, so that a fleet does not come back in one moment; not below what 10 log-ins a minute allow. */
    random_hex(4, noise);
    unsigned longest = attempt < 7 ? 1u << attempt : 120;
    sleep(6 + (unsigned)strtoul(noise, NULL, 16) % longest);
    while (milliseconds(CLOCK_REALTIME) < not_before) sleep(1);
  }
}
