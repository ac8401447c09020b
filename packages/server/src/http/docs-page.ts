import { createHash } from 'node:crypto';
import {
  contract,
  errors,
  type Language,
  languageOf,
  type NamedCall,
  permissions,
  type Slice,
  type Text,
} from '@device-center/contract';
import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { DOCS_CSS } from './docs-style.ts';
import { openapi } from './openapi.ts';

const escapeHtml = (text: string): string => text.replace(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`);

const texts = {
  title: { zh_CN: '设备中心 接口文档', en_US: 'Device Center interface' },
  intro: {
    zh_CN:
      '每个接口只在契约中声明一次，本页与 openapi.json 都由它生成。token 放在 Authorization 头中；POST 和 PUT 可用表单或 JSON。',
    en_US:
      'Every call is declared once, in the contract; this page and openapi.json are generated from it. The token goes into Authorization; POST and PUT take a form or JSON.',
  },
  input: { zh_CN: '输入', en_US: 'Input' },
  output: { zh_CN: '返回 data', en_US: 'Answer’s data' },
  none: { zh_CN: '无', en_US: 'none' },
  field: { zh_CN: '字段', en_US: 'Field' },
  required: { zh_CN: '必填', en_US: 'Required' },
  rule: { zh_CN: '规则', en_US: 'Rule' },
  yes: { zh_CN: '是', en_US: 'yes' },
  no: { zh_CN: '否', en_US: 'no' },
  public: { zh_CN: '无需 token', en_US: 'no token needed' },
  signedIn: { zh_CN: '需要 token', en_US: 'token' },
  menus: { zh_CN: '菜单（任一）', en_US: 'menus (any one)' },
  platform: { zh_CN: '仅平台租户', en_US: 'platform tenant only' },
  errors: { zh_CN: '错误码', en_US: 'Error codes' },
  calls: { zh_CN: '接口', en_US: 'Calls' },
} satisfies Record<string, Text>;

type Json = Record<string, unknown>;

const jsonSchema = (schema: z.ZodType, io: 'input' | 'output'): Json =>
  z.toJSONSchema(schema, { io, unrepresentable: 'any' });

const LIMITS = ['minimum', 'maximum', 'minLength', 'maxLength', 'minItems', 'maxItems', 'pattern', 'default'] as const;

const ruleOf = (schema: Json): string => {
  const { type, enum: options, const: only } = schema;
  const kind = options ? JSON.stringify(options) : only === undefined ? String(type ?? '') : JSON.stringify(only);
  const limits = LIMITS.filter((limit) => schema[limit] !== undefined).map(
    (limit) => `${limit} ${JSON.stringify(schema[limit])}`,
  );
  return [kind, ...limits].filter(Boolean).join(', ');
};

const inputTable = ({ call }: NamedCall, language: Language): string => {
  const schema = jsonSchema(call.input, 'input');
  const properties = Object.entries((schema.properties ?? {}) as Record<string, Json>);
  const required = new Set((schema.required ?? []) as string[]);
  if (call.file) properties.push([call.file.field, { type: 'file', maximum: `${call.file.maxBytes} bytes` }]);
  if (properties.length === 0) return `<p>${texts.none[language]}</p>`;
  const rows = properties.map(([name, property]) => {
    const needed = required.has(name) && property.default === undefined;
    return `<tr><td><code>${escapeHtml(name)}</code></td><td>${texts[needed ? 'yes' : 'no'][language]}</td><td>${escapeHtml(ruleOf(property))}</td></tr>`;
  });
  const head = [texts.field, texts.required, texts.rule]
    .map((text) => `<th scope="col">${text[language]}</th>`)
    .join('');
  return `<table><thead><tr>${head}</tr></thead><tbody>${rows.join('')}</tbody></table>`;
};

const accessOf = ({ call }: NamedCall, language: Language): string => {
  if (call.access === 'public') return texts.public[language];
  if (call.access === 'signed-in') return texts.signedIn[language];
  const menus = `${texts.menus[language]}: ${permissions[call.access].join(', ')}`;
  return call.platformOnly ? `${menus}; ${texts.platform[language]}` : menus;
};

const callSection = (entry: NamedCall, language: Language): string => {
  const { name, slice, call } = entry;
  const output = JSON.stringify(
    jsonSchema(call.output, 'output'),
    (key, value: unknown) => (key === '$schema' ? undefined : value),
    2,
  );
  return `<section id="${slice}.${name}"><h3>${escapeHtml(name)}</h3>
<p class="path"><b>${call.method}</b> <code>${escapeHtml(call.path)}</code></p>
<p>${escapeHtml(call.summary[language])} <span class="access">${escapeHtml(accessOf(entry, language))}</span></p>
<h4>${texts.input[language]}</h4>${inputTable(entry, language)}
<details><summary>${texts.output[language]}</summary><pre tabindex="0">${escapeHtml(output)}</pre></details></section>`;
};

const entriesOf = (slice: Slice): NamedCall[] =>
  Object.entries(contract[slice]).map(([name, call]) => ({ slice, name, call }));

const renderPage = (language: Language): string => {
  const slices = Object.keys(contract) as Slice[];
  const nav = slices
    .map((slice) => {
      const links = entriesOf(slice).map(({ name }) => `<li><a href="#${slice}.${name}">${escapeHtml(name)}</a></li>`);
      return `<h2>${slice}</h2><ul>${links.join('')}</ul>`;
    })
    .join('');
  const body = slices
    .map((slice) =>
      entriesOf(slice)
        .map((entry) => callSection(entry, language))
        .join(''),
    )
    .join('');
  const codes = Object.entries(errors)
    .map(
      ([code, entry]) =>
        `<tr><td><code>${code}</code></td><td>${entry.status}</td><td>${escapeHtml(entry[language])}</td></tr>`,
    )
    .join('');
  const lang = language === 'zh_CN' ? 'zh-CN' : 'en';
  return `<!doctype html><html lang="${lang}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>${texts.title[language]}</title><link rel="icon" href="/favicon.svg"><link rel="stylesheet" href="/docs.css"></head><body>
<nav aria-label="${texts.calls[language]}">${nav}</nav><main><h1>${texts.title[language]}</h1>
<p>${texts.intro[language]} <a href="/openapi.json">openapi.json</a> · <a href="/docs?language=zh_CN">简体中文</a> · <a href="/docs?language=en_US">English</a></p>
${body}<section id="errors"><h3>${texts.errors[language]}</h3><table><tbody>${codes}</tbody></table></section></main></body></html>`;
};

/** Computes a value on first use and caches it: after most starts the documentation is never read. */
const lazy = <Value>(compute: () => Value): (() => Value) => {
  let cached: { value: Value } | undefined;
  return () => {
    cached ??= { value: compute() };
    return cached.value;
  };
};

/** The API documentation (`/docs`) and `/openapi.json`. They contain no data, so they need no token. */
export const mountDocs = (app: FastifyInstance, version: string): void => {
  const description = lazy(() => openapi(version));
  const pages: Record<Language, () => string> = {
    zh_CN: lazy(() => renderPage('zh_CN')),
    en_US: lazy(() => renderPage('en_US')),
  };
  const etag = `"${createHash('sha256').update(DOCS_CSS).digest('hex').slice(0, 16)}"`;
  app.get('/openapi.json', async (_request, reply) => reply.send(description()));
  app.get('/docs.css', async (_request, reply) => reply.type('text/css').header('ETag', etag).send(DOCS_CSS));
  app.get<{ Querystring: { language?: string } }>('/docs', async (request, reply) => {
    const { language: requested } = request.query;
    const language =
      requested === 'en_US' || requested === 'zh_CN' ? requested : languageOf(request.headers['accept-language']);
    return reply.type('text/html; charset=utf-8').send(pages[language]());
  });
};
