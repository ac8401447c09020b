import { type Answer, type Call, productCalls } from '@device-center/contract';

export const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);
export const JPEG = Buffer.concat([
  Buffer.from([0xff, 0xd8, 0xff, 0xe0]),
  Buffer.from('\0\x10JFIF and more'),
  Buffer.alloc(50),
]);
export const BMP = Buffer.concat([Buffer.from('BM'), Buffer.alloc(60, 7)]);
export const GIF = Buffer.from('GIF89a\x01\0\x01\0');
export const HTML = Buffer.from('<!doctype html><script>alert(document.domain)</script>');
export const SVG = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>');

type Sender = { url: string; token: string };
type File = { bytes: Uint8Array; filename?: string; type?: string; language?: string };

/** Sends a file as a browser does. */
export const upload = async (
  { url, token }: Sender,
  call: Call,
  { bytes, filename = 'picture.png', type = '', language = 'en-US' }: File,
): Promise<Answer<unknown>> => {
  const body = new FormData();
  body.set('multipartFile', new Blob([Uint8Array.from(bytes)], { type }), filename);
  const headers = { Authorization: token, 'Accept-Language': language };
  const response = await fetch(url + call.path, { method: 'POST', headers, body });
  const answer = (await response.json()) as Answer<unknown>;
  if (answer.statusCode !== response.status)
    throw new Error(`statusCode ${answer.statusCode} under HTTP ${response.status}`);
  return answer;
};

/** An uploaded picture that no product has yet: its `icon`. */
export const uploadedIcon = async (sender: Sender, bytes: Uint8Array = PNG): Promise<string> => {
  const answer = await upload(sender, productCalls.uploadProductPicture, { bytes });
  if (!answer.success) throw new Error(answer.code);
  return (answer.data as { icon: string }).icon;
};

export const pictureIdOf = (address: string): string => /pictureId=(\w+)$/.exec(address)?.[1] ?? '';
