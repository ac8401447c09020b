/* Sockets, HTTP and the few packets of MQTT 3.1.1 that device.c needs. Libraries do more, and do it over TLS. */
#ifndef DEVICE_NET_H
#define DEVICE_NET_H
#include <netdb.h>
#include <poll.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <unistd.h>

enum { CONNECT = 0x10, CONNACK = 0x20, PUBLISH = 0x30, PUBACK = 0x40, SUBSCRIBE = 0x82, SUBACK = 0x90 };
enum { PINGREQ = 0xc0, PINGRESP = 0xd0, DISCONNECT = 0xe0 };
enum { PATIENCE = 20, KEEP_ALIVE = 60, PACKET = 132 * 1024 }; /* seconds, seconds, bytes */

/* --- Sockets: every wait ends after PATIENCE seconds --- */
static int dial(const char *host, const char *port) {
  struct addrinfo hints = {.ai_socktype = SOCK_STREAM}, *found = NULL;
  struct timeval patience = {.tv_sec = PATIENCE};
  int it = -1;
  if (getaddrinfo(host, port, &hints, &found)) return -1;
  for (struct addrinfo *place = found; place && it < 0; place = place->ai_next) {
    it = socket(place->ai_family, place->ai_socktype, place->ai_protocol);
    setsockopt(it, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
    setsockopt(it, SOL_SOCKET, SO_SNDTIMEO, &patience, sizeof patience);
    if (connect(it, place->ai_addr, place->ai_addrlen)) {
      close(it);
      it = -1;
    }
  }
  freeaddrinfo(found);
  return it;
}

static bool put(int it, const void *data, size_t length) {
  for (const char *at = data; length > 0;) {
    ssize_t n = send(it, at, length, MSG_NOSIGNAL);
    if (n <= 0) return false;
    at += n;
    length -= (size_t)n;
  }
  return true;
}

static bool take(int it, void *data, size_t length) {
  for (char *at = data; length > 0;) {
    ssize_t n = recv(it, at, length, 0);
    if (n <= 0) return false;
    at += n;
    length -= (size_t)n;
  }
  return true;
}

/* --- HTTP 1.0: the answer ends where the connection does --- */
typedef struct {
  const char *host, *port, *token;
} Hub;

static bool ask_http(Hub hub, const char *method, const char *path, const char *body, char *out, size_t size) {
  char request[4096];
  size_t n = 0;
  ssize_t got;
  int it = dial(hub.host, hub.port);
  int length = snprintf(request, sizeof request, "%s %s HTTP/1.0\r\nHost: %s:%s\r\nAuthorization: %s\r\n"
      "Content-Type: application/json\r\nContent-Length: %zu\r\n\r\n%s", method, path, hub.host, hub.port, hub.token, strlen(body), body);
  if (it < 0 || !put(it, request, (size_t)length)) return false;
  while (n + 1 < size && (got = recv(it, out + n, size - 1 - n, 0)) > 0) n += (size_t)got;
  close(it);
  out[n] = 0;
  return strstr(out, "\"success\":true") != NULL;
}

/* --- MQTT 3.1.1 --- */
static size_t text_into(uint8_t *at, const char *text) {
  size_t length = strlen(text);
  at[0] = (uint8_t)(length >> 8);
  at[1] = (uint8_t)length;
  memcpy(at + 2, text, length);
  return length + 2;
}

static bool send_packet(int line, int kind, const uint8_t *body, size_t length) {
  uint8_t head[5] = {(uint8_t)kind};
  size_t n = 1, left = length;
  do {
    head[n++] = (uint8_t)(left % 128 | (left > 127 ? 128 : 0));
    left /= 128;
  } while (left);
  return put(line, head, n) && put(line, body, length);
}

/* The kind of the packet, 0 when none came in this time, -1 when the connection is lost. */
static int next_packet(int line, uint8_t *body, size_t size, size_t *length, int wait_s) {
  struct pollfd input = {.fd = line, .events = POLLIN};
  uint8_t kind, byte;
  int shift = 0;
  if (poll(&input, 1, wait_s * 1000) == 0) return 0;
  if (!take(line, &kind, 1)) return -1;
  *length = 0;
  do {
    if (shift > 21 || !take(line, &byte, 1)) return -1;
    *length |= (size_t)(byte & 127) << shift;
    shift += 7;
  } while (byte & 128);
  return *length < size && take(line, body, *length) ? kind : -1;
}

/* With QoS 1. */
static bool publish(int line, const char *topic, const char *message) {
  static uint8_t body[PACKET];
  static uint16_t id;
  size_t n = text_into(body, topic), length = strlen(message);
  if (n + 2 + length > sizeof body) return false;
  if (++id == 0) id = 1;
  body[n++] = (uint8_t)(id >> 8);
  body[n++] = (uint8_t)id;
  memcpy(body + n, message, length);
  return send_packet(line, PUBLISH | 2, body, n + length);
}

/* The will is published with QoS 1 when the connection is lost. */
static bool say_connect(int line, const char *client, const char *password, const char *topic, const char *will) {
  /* name, password, will with QoS 1, clean session */
  static const uint8_t head[] = {0, 4, 'M', 'Q', 'T', 'T', 4, 0xce, 0, KEEP_ALIVE};
  uint8_t body[16384];
  size_t n = sizeof head;
  if (n + 2 * strlen(client) + strlen(password) + strlen(topic) + strlen(will) + 10 > sizeof body) return false;
  memcpy(body, head, n);
  n += text_into(body + n, client);
  n += text_into(body + n, topic);
  n += text_into(body + n, will);
  n += text_into(body + n, client); /* the user name is the same */
  n += text_into(body + n, password);
  return send_packet(line, CONNECT, body, n);
}

static bool say_subscribe(int line, const char *topic) {
  uint8_t body[2048] = {0, 1};
  size_t n = 2 + text_into(body + 2, topic);
  body[n++] = 1;
  return send_packet(line, SUBSCRIBE, body, n);
}
#endif
