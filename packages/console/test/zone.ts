import { type Sent, zoneCalls } from '@device-center/contract';
import { admin, unique } from './hub.ts';

export const ZONES = '/avaConfig/availableList';
export const ADD_ZONE = '/add/addAvaild';
export const zonePage = (id: number): string => `/detail/detailAvaild/${id}`;

/** A self-signed certificate, valid until 2125. */
export const PEM = `-----BEGIN CERTIFICATE-----
MIIBtTCCAVugAwIBAgIUH1OzETkHDaPTOTsMasSiCXYRneswCgYIKoZIzj0EAwIw
LzEdMBsGA1UEAwwUYnJva2VyLnBsYW50LmV4YW1wbGUxDjAMBgNVBAoMBVBsYW50
MCAXDTI2MTExNjAyNDkwMloYDzIxMjUwNjEwMDI0OTAyWjAvMR0wGwYDVQQDDBRi
cm9rZXIucGxhbnQuZXhhbXBsZTEOMAwGA1UECgwFUGxhbnQwWTATBgcqhkjOPQIB
BggqhkjOPQMBBwNCAATT826Z+geLW4CvkzX9QWmRIIg5R80GFnUCrbZYuS2mdky0
EGsEY6lZHobRsU/kUfebOJO1HUtJU+rZmyffZjguo1MwUTAdBgNVHQ4EFgQUYfNx
AvqAsInUjDbUWKhsAxNHQ14wHwYDVR0jBBgwFoAUYfNxAvqAsInUjDbUWKhsAxNH
Q14wDwYDVR0TAQH/BAUwAwEB/zAKBggqhkjOPQQDAgNIADBFAiEAlOltqYJ7mfNB
Z2udy2rwxDHAU21cFIdLLJz75PU8gyMCIAqR0AZ9f/3PmhwJNDE5BQX+ewEw8zeO
/e+yHkSN3jXn
-----END CERTIFICATE-----
`;

/** A node with an allowed but unreachable address. */
export const innerNode = { hostName: 'broker.invalid', port: 1883, serverType: 1, username: 'hub' } as const;
export const outerNode = { bucketUrl: 'https://other.invalid', bucketZoneId: 7 } as const;

type ZoneInput = Partial<Sent<typeof zoneCalls.addZone>>;

export const createZone = async (options: ZoneInput = {}) => {
  const operator = await admin();
  const zoneName = unique('zone ');
  const fields = { zoneName, zoneType: 1, routeKey: unique('k'), address: 'mq.plant.example', isSyncModel: 0 } as const;
  const { id } = await operator.ok(zoneCalls.addZone, { ...fields, nodes: [innerNode], ...options });
  return { id, zoneName, details: () => operator.ok(zoneCalls.getZoneDetail, { id }) };
};
