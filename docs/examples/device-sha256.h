/* SHA-256 (FIPS 180-4) and HMAC-SHA256 (RFC 2104) for device.c. A chip or a library that has them does it faster. */
#ifndef DEVICE_SHA256_H
#define DEVICE_SHA256_H
#include <stdint.h>
#include <stdio.h>
#include <string.h>

typedef struct {
  uint32_t state[8];
  uint64_t length;
  uint8_t block[64];
} Sha;

static uint32_t sha_rotate(uint32_t word, int by) { return word >> by | word << (32 - by); }

static void sha_block(Sha *sha) {
  static const uint32_t k[64] = {
      0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
      0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
      0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
      0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
      0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
      0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
      0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
      0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2};
  uint32_t w[64], v[8];
  for (int i = 0; i < 16; i++) {
    const uint8_t *b = sha->block + 4 * i;
    w[i] = (uint32_t)b[0] << 24 | (uint32_t)b[1] << 16 | (uint32_t)b[2] << 8 | b[3];
  }
  for (int i = 16; i < 64; i++) {
    uint32_t a = w[i - 15], b = w[i - 2];
    uint32_t one = sha_rotate(a, 7) ^ sha_rotate(a, 18) ^ a >> 3;
    uint32_t two = sha_rotate(b, 17) ^ sha_rotate(b, 19) ^ b >> 10;
    w[i] = w[i - 16] + one + w[i - 7] + two;
  }
  memcpy(v, sha->state, sizeof v);
  for (int i = 0; i < 64; i++) {
    uint32_t a = v[0], e = v[4];
    uint32_t one = v[7] + (sha_rotate(e, 6) ^ sha_rotate(e, 11) ^ sha_rotate(e, 25)) + ((e & v[5]) ^ (~e & v[6])) + k[i] + w[i];
    uint32_t two = (sha_rotate(a, 2) ^ sha_rotate(a, 13) ^ sha_rotate(a, 22)) + ((a & v[1]) ^ (a & v[2]) ^ (v[1] & v[2]));
    memmove(v + 1, v, 7 * sizeof *v);
    v[4] += one;
    v[0] = one + two;
  }
  for (int i = 0; i < 8; i++) sha->state[i] += v[i];
}

static Sha sha_begin(void) {
  return (Sha){.state = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19}};
}

static void sha_add(Sha *sha, const void *data, size_t length) {
  const uint8_t *bytes = data;
  for (size_t i = 0; i < length; i++) {
    sha->block[sha->length++ % 64] = bytes[i];
    if (sha->length % 64 == 0) sha_block(sha);
  }
}

static void sha_end(Sha *sha, uint8_t digest[32]) {
  uint64_t bits = sha->length * 8;
  sha_add(sha, "\x80", 1);
  while (sha->length % 64 != 56) sha_add(sha, "", 1);
  for (int shift = 56; shift >= 0; shift -= 8) {
    uint8_t byte = (uint8_t)(bits >> shift);
    sha_add(sha, &byte, 1);
  }
  for (int i = 0; i < 32; i++) digest[i] = (uint8_t)(sha->state[i / 4] >> (24 - i % 4 * 8));
}

/* Lower-case hex, with the 0 at the end. */
static void hex_of(const uint8_t *bytes, int count, char *text) {
  for (int i = 0; i < count; i++) sprintf(text + 2 * i, "%02x", bytes[i]);
}

static void sha256_hex(const char *text, char out[65]) {
  uint8_t digest[32];
  Sha sha = sha_begin();
  sha_add(&sha, text, strlen(text));
  sha_end(&sha, digest);
  hex_of(digest, 32, out);
}

static void hmac_sha256_hex(const char *secret, const char *text, char out[65]) {
  uint8_t key[64] = {0}, digest[32];
  Sha sha = sha_begin();
  if (strlen(secret) <= 64) memcpy(key, secret, strlen(secret));
  else {
    sha_add(&sha, secret, strlen(secret));
    sha_end(&sha, key);
  }
  for (int i = 0; i < 64; i++) key[i] ^= 0x36;
  sha = sha_begin();
  sha_add(&sha, key, 64);
  sha_add(&sha, text, strlen(text));
  sha_end(&sha, digest);
  for (int i = 0; i < 64; i++) key[i] ^= 0x36 ^ 0x5c;
  sha = sha_begin();
  sha_add(&sha, key, 64);
  sha_add(&sha, digest, 32);
  sha_end(&sha, digest);
  hex_of(digest, 32, out);
}
#endif
