#!/usr/bin/env python3
"""A device on Eclipse paho, an MQTT client of other people, and Python's standard library.

    HUB_URL=http://127.0.0.1:8080 PRODUCT_ID=... DEVICE_ID=... SECRET=... ./device.py

SECRET is the device's secret, or its product's for the first log-in; SECRET_FILE is where the secret that the hub then
gives is kept, and is read instead of SECRET once it is there. The protocol is in ../device-protocol.md.
"""

import argparse
import hashlib
import hmac
import json
import os
import queue
import random
import secrets
import ssl
import sys
import time
import urllib.error
import urllib.request

import paho.mqtt.client as mqtt

VERSION = "1.0.1"
ONLINE, CONFIG, SERVICE, IDENTITY, TRANSPARENT, REFRESH = 1, 2, 4, 5, 7, 9
REQUEST, RESPONSE = 0, 1
OK, UNSUPPORTED = 200, 60003
IDENTITY_FIELDS = {"versionNumber": "1.0.0", "hardware": "example", "sdk": "paho"}


def step(text):
    print(text, flush=True)


def now_ms():
    return int(time.time() * 1000)


def signing_text(fields):
    kept = {name: value for name, value in fields.items() if name != "signature" and value not in (None, "")}
    return "\n".join(f"{name}={kept[name]}" for name in sorted(kept))


def signature_of(fields, method, secret):
    """Of a log-in; of a message too, whose payload enters as its digest."""
    fields = dict(fields)
    if fields.get("payload"):
        digest = hashlib.md5 if method == "md5" else hashlib.sha256
        fields["payload"] = digest(fields["payload"].encode()).hexdigest()
    text = signing_text(fields)
    if method == "md5":
        return hashlib.md5(f"{text}\n{secret}".encode()).hexdigest()
    return hmac.new(secret.encode(), text.encode(), hashlib.sha256).hexdigest()


class Refused(Exception):
    """The hub said no, with its code."""

    def __init__(self, code, message):
        super().__init__(f"{code}: {message}")


class Kicked(Exception):
    """The hub has ended the session. The device may log in again, not before `until` where there is one."""

    def __init__(self, until):
        super().__init__("kicked")
        self.until = until


class Hub:
    """The two calls over HTTP."""

    def __init__(self, url, trust):
        self.url = url.rstrip("/")
        self.trust = trust

    def call(self, path, body=None, token=""):
        headers = {"Content-Type": "application/json", "Accept-Language": "en-US", "Authorization": token}
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(self.url + path, data=data, headers=headers)
        try:
            with urllib.request.urlopen(request, timeout=20, context=self.trust) as answer:
                return json.load(answer)["data"]
        except urllib.error.HTTPError as error:
            answer = json.load(error)
            raise Refused(answer["code"], answer["message"]) from error


class Device:
    def __init__(self, options):
        self.options = options
        self.trust = ssl.create_default_context(cafile=options.ca) if options.ca else ssl.create_default_context()
        self.hub = Hub(options.hub, self.trust)
        self.secret = self.read_secret()
        self.data_id = 10000
        self.properties = dict(options.properties)
        # The network thread only hands over; what is decided here is decided by one thread.
        self.inbox = queue.Queue()
        self.client = None

    def read_secret(self):
        file = self.options.secret_file
        if file and os.path.exists(file):
            with open(file, encoding="utf-8") as kept:
                return kept.read()
        return self.options.secret

    def keep_secret(self, secret):
        self.secret = secret
        if self.options.secret_file:
            descriptor = os.open(self.options.secret_file, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
            with os.fdopen(descriptor, "w", encoding="utf-8") as kept:
                kept.write(secret)

    def log_in(self):
        fields = {"productId": self.options.product, "deviceId": self.options.device, "signMethod": self.options.sign}
        fields |= {"timestamp": now_ms(), "nonce": secrets.token_hex(16)}
        fields["signature"] = signature_of(fields, self.options.sign, self.secret)
        self.session = self.hub.call("/api/bucket/login", fields)
        if "deviceSecret" in self.session:
            self.keep_secret(self.session["deviceSecret"])
        step(f"logged in, session {self.session['sessionId']}")

    def connect(self):
        bucket = self.hub.call("/api/bucket/getConnectBucket", token=self.session["token"])
        self.up, self.down = bucket["topics"]["up"], bucket["topics"]["down"]
        step(f"bucket: {bucket['protocol']}://{bucket['host']}:{bucket['port']} {self.up}")
        # paho 2 wants to know which callbacks it is given; paho 1 does not know the question.
        asked = hasattr(mqtt, "CallbackAPIVersion")
        which = {"callback_api_version": mqtt.CallbackAPIVersion.VERSION1} if asked else {}
        version = mqtt.MQTTv5 if self.options.mqtt5 else mqtt.MQTTv311
        self.client = mqtt.Client(client_id=bucket["clientId"], protocol=version, **which)
        self.client.username_pw_set(bucket["username"], bucket["password"])
        # Signed now: the broker publishes it when the connection is lost.
        will = self.seal(ONLINE, {"op": "offline"})
        self.client.will_set(self.up, json.dumps(will, ensure_ascii=False).encode(), qos=1)
        if bucket["tls"]:
            self.client.tls_set_context(self.trust)
        self.client.on_connect = lambda _client, _data, _flags, code, *_: self.inbox.put(("connack", code))
        self.client.on_subscribe = lambda *_: self.inbox.put(("suback", None))
        self.client.on_message = lambda _client, _data, message: self.inbox.put(("message", message.payload))
        self.client.on_disconnect = lambda *_: self.inbox.put(("lost", None))
        self.client.connect(bucket["host"], bucket["port"], keepalive=60)
        self.client.loop_start()
        code = self.next("connack", 20)
        if code != 0:
            raise Refused("CONNACK", str(code))
        self.client.subscribe(self.down, qos=1)
        self.next("suback", 20)

    def next(self, wanted, seconds):
        kind, content = self.inbox.get(timeout=seconds)
        if kind != wanted:
            raise ConnectionError(f"{kind} instead of {wanted}")
        return content

    def seal(self, kind, payload, **answer):
        text = payload if isinstance(payload, str) else json.dumps(payload, separators=(",", ":"), ensure_ascii=False)
        message = {
            "dataFlow": RESPONSE if answer else REQUEST,
            "type": kind,
            "dataId": answer.get("dataId") or str(self.data_id),
            "deviceId": self.options.device,
            "sessionId": self.session["sessionId"],
            "tenantId": self.session["tenantId"],
            "token": self.session["token"],
            "version": VERSION,
            "signMethod": self.options.sign,
            "timestamp": now_ms(),
            "length": len(text.encode()),
            "payload": text,
        }
        if answer:
            message["code"] = answer["code"]
        else:
            self.data_id += 1
        message["signature"] = signature_of(message, self.options.sign, self.secret)
        return message

    def publish(self, message):
        """Returns at the PUBACK: the hub has stored it."""
        sent = self.client.publish(self.up, json.dumps(message, ensure_ascii=False).encode(), qos=1)
        if sent.rc != 0:
            raise ConnectionError("lost before it was sent")
        while not sent.is_published():
            if not self.client.is_connected():
                raise ConnectionError("lost before the PUBACK")
            sent.wait_for_publish(0.5)

    def receive(self, seconds):
        message = json.loads(self.next("message", seconds))
        if not hmac.compare_digest(message["signature"], signature_of(message, message["signMethod"], self.secret)):
            raise Refused("SIGNATURE", "a message that the hub did not sign")
        return message

    def ask(self, kind, payload):
        request = self.seal(kind, payload)
        self.publish(request)
        while True:
            message = self.receive(20)
            if message["dataFlow"] == REQUEST:
                self.serve(message)
            elif message["dataId"] == request["dataId"]:
                if message["code"] != OK:
                    raise Refused(message["code"], message.get("message", ""))
                return json.loads(message["payload"])

    def serve(self, request):
        """Does what the hub asks, and answers. True for a command of a person."""
        kind = request["type"]
        step(f"command: {request['payload']}")
        if kind not in (CONFIG, SERVICE, IDENTITY, TRANSPARENT):
            return False
        payload = {} if kind == TRANSPARENT else json.loads(request["payload"])
        if kind == SERVICE and payload["service"] == "kick":
            # The token is no longer valid, so there is nothing to answer with.
            raise Kicked(payload["input"].get("untilTime"))
        code, output = self.obey(kind, payload)
        self.publish(self.seal(kind, output, dataId=request["dataId"], code=code))
        step(f"answered {code}")
        return kind in (CONFIG, SERVICE)

    def obey(self, kind, payload):
        if kind == IDENTITY:
            return OK, IDENTITY_FIELDS
        if kind == TRANSPARENT:
            return OK, {}
        if kind == SERVICE:
            known = payload["service"] in ("restart", "logLevel", "logSwitch", *self.options.service)
            return (OK, {"output": {}}) if known else (UNSUPPORTED, {})
        if "get" in payload:
            return OK, {"properties": {name: self.properties[name] for name in payload["get"] if name in self.properties}}
        self.properties.update(payload["properties"])
        return OK, {"properties": payload["properties"]}

    def refresh(self):
        answer = self.ask(REFRESH, {})
        self.session["token"] = answer["token"]
        self.refresh_at = time.monotonic() + answer["expireIn"] * 0.8
        step(f"token refreshed, good for {answer['expireIn']} s")

    def live(self):
        """One connection, from log-in to loss; returns when `--once` is done."""
        self.log_in()
        self.connect()
        self.ask(ONLINE, {"op": "online", "versionNumber": IDENTITY_FIELDS["versionNumber"]})
        step("online")
        self.publish(self.seal(CONFIG, {"properties": self.properties}))
        step(f"reported {json.dumps(self.properties)}")
        self.refresh()
        step("waiting for a command")
        while True:
            try:
                message = self.receive(max(0.1, self.refresh_at - time.monotonic()))
            except queue.Empty:
                self.refresh()
                continue
            if message["dataFlow"] == RESPONSE:
                step(f"refused {message['code']}: {message.get('message', '')}")
            elif self.serve(message) and self.options.once:
                self.ask(ONLINE, {"op": "offline"})
                return

    def leave(self):
        if self.client:
            self.client.disconnect()
            self.client.loop_stop()
        self.client = None
        self.inbox = queue.Queue()


def run(device):
    attempt = 0
    while True:
        started, wait = time.monotonic(), 0
        try:
            return device.live()
        except (OSError, queue.Empty, Refused) as error:
            step(f"failed: {error or type(error).__name__}")
            if device.options.once:
                return 1
        except Kicked as kicked:
            step("kicked")
            wait = (kicked.until or 0) / 1000 - time.time()
        finally:
            device.leave()
        attempt = 0 if time.monotonic() - started > 60 else attempt + 1
        # Full jitter, so that a fleet does not come back in one moment; not below what 10 log-ins a minute allow.
        time.sleep(max(6, wait, random.random() * min(120, 2**attempt)))


def read_options():
    env = os.environ.get
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--hub", default=env("HUB_URL"))
    parser.add_argument("--product", default=env("PRODUCT_ID"))
    parser.add_argument("--device", default=env("DEVICE_ID"))
    parser.add_argument("--secret", default=env("SECRET"))
    parser.add_argument("--secret-file", default=env("SECRET_FILE"), help="where the secret given by the hub is kept")
    parser.add_argument("--sign", choices=["hmacsha256", "md5"], default=env("SIGN_METHOD", "hmacsha256"))
    parser.add_argument("--properties", type=json.loads, default=env("PROPERTIES", '{"power": true}'))
    parser.add_argument("--service", action="append", default=[], help="a service of the model that it obeys")
    parser.add_argument("--ca", default=env("CA_FILE"), help="certificates to trust, where the hub has TLS")
    parser.add_argument("--mqtt5", action="store_true", help="MQTT 5 instead of 3.1.1")
    parser.add_argument("--once", action="store_true", help="end after the first command")
    options = parser.parse_args()
    if not (options.hub and options.product and options.device and (options.secret or options.secret_file)):
        parser.error("HUB_URL, PRODUCT_ID, DEVICE_ID and SECRET are needed")
    return options


if __name__ == "__main__":
    sys.exit(run(Device(read_options())))
