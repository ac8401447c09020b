export declare const loadMqtt: () => Promise<unknown>;
