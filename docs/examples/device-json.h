/* As much of JSON as device.c needs. A device that is sent more than a lamp has a parser. */
#ifndef DEVICE_JSON_H
#define DEVICE_JSON_H
#include <stdio.h>
#include <string.h>

/* A field of a JSON object by its name: a string without quotes and escapes, a number as it stands; else the empty text.
 * Quotes inside `payload` are escaped, so nothing is found there by mistake. */
static const char *field(const char *json, const char *name, char *out, size_t size) {
  char key[64];
  size_t n = 0;
  snprintf(key, sizeof key, "\"%s\":", name);
  const char *at = strstr(json, key);
  if (at) at += strlen(key);
  if (at && *at == '"') {
    for (at++; *at && *at != '"' && n + 1 < size; at++) {
      unsigned code;
      if (*at == '\\' && at[1] == 'u' && sscanf(at + 2, "%4x", &code) == 1) {
        out[n++] = (char)code; /* the hub escapes control characters alone in this way */
        at += 5;
      } else if (*at == '\\') {
        at++;
        out[n++] = *at == 'n' ? '\n' : *at == 't' ? '\t' : *at == 'r' ? '\r' : *at;
      } else out[n++] = *at;
    }
  } else if (at) {
    while (strchr("-0123456789", *at) && *at && n + 1 < size) out[n++] = *at++;
  }
  out[n] = 0;
  return out;
}
#endif
