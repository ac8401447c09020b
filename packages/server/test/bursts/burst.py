"""Publishes the lines of a file at once with an Eclipse paho client as it comes, and says how that went as JSON.

    burst.py FILE VERSION HOST PORT CLIENT_ID TOKEN TOPIC
"""

import json
import sys
import threading

import paho.mqtt.client as mqtt

file, version, host, port, client_id, token, topic = sys.argv[1:]
lines = open(file, encoding="utf-8").read().splitlines()
acknowledged = set()
disconnects = []
connected = threading.Event()
done = threading.Event()


def on_publish(_client, _userdata, message_id, *_more):
    acknowledged.add(message_id)
    if len(acknowledged) == len(lines):
        done.set()


def on_disconnect(_client, _userdata, reason, *_more):
    disconnects.append(str(reason))
    done.set()


protocol = mqtt.MQTTv5 if version == "5" else mqtt.MQTTv311
# paho 2 asks which callbacks are meant; paho 1 knows but these.
first = [mqtt.CallbackAPIVersion.VERSION1] if hasattr(mqtt, "CallbackAPIVersion") else []
client = mqtt.Client(*first, client_id=client_id, protocol=protocol)
client.username_pw_set(client_id, token)
client.on_connect = lambda *_: connected.set()
client.on_publish = on_publish
client.on_disconnect = on_disconnect
client.connect(host, int(port))
client.loop_start()
connected.wait(20)
for line in lines:
    client.publish(topic, line, qos=1)
done.wait(60)
print(json.dumps({"acknowledged": len(acknowledged), "disconnects": disconnects}), flush=True)
client.on_disconnect = None
client.disconnect()
client.loop_stop()
