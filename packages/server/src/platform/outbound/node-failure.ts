import { fill, type Language, type NodeProblem, nodeProblemTexts, type Text } from '@device-center/contract';

export type NodeParams = Record<string, string | number>;

const statusReasons = new Map<number, Text>([
  [401, { zh_CN: '对方不认识该密钥或账号', en_US: 'it does not know the key or account' }],
  [403, { zh_CN: '该密钥不能用于数据同步', en_US: 'the key is not for synchronisation' }],
  [404, { zh_CN: '该地址没有数据同步接口', en_US: 'there is no synchronisation at this address' }],
]);
const otherStatus: Text = { zh_CN: '不是所期望的应答', en_US: 'not the expected answer' };

/** Text in the reader's language, with the stored parameters. */
export const nodeProblemText = (problem: NodeProblem, params: NodeParams, language: Language): string => {
  const reason = (statusReasons.get(Number(params.status)) ?? otherStatus)[language];
  return fill(nodeProblemTexts[problem][language], { reason, ...params });
};

/** Why a connection to another machine failed, in terms that an operator can act upon. */
export class NodeFailure extends Error {
  readonly problem: NodeProblem;
  readonly params: NodeParams;

  constructor(problem: NodeProblem, params: NodeParams = {}) {
    super(nodeProblemText(problem, params, 'en_US'));
    this.problem = problem;
    this.params = params;
  }

  text(language: Language): string {
    return nodeProblemText(this.problem, this.params, language);
  }
}

const byCode = new Map<string, NodeProblem>([
  ['ENOTFOUND', 'nameNotFound'],
  ['ENODATA', 'nameNotFound'],
  ['EAI_AGAIN', 'nameNotFound'],
  ['EAI_FAIL', 'nameNotFound'],
  ['ECONNREFUSED', 'refused'],
  ['EHOSTUNREACH', 'unreachable'],
  ['ENETUNREACH', 'unreachable'],
  ['EHOSTDOWN', 'unreachable'],
  ['ENETDOWN', 'unreachable'],
  ['EADDRNOTAVAIL', 'unreachable'],
  ['EACCES', 'unreachable'],
  ['EPERM', 'unreachable'],
  ['EINVAL', 'unreachable'],
  ['ETIMEDOUT', 'timeout'],
  ['ABORT_ERR', 'timeout'],
  ['ECONNRESET', 'closed'],
  ['EPIPE', 'closed'],
  ['ERR_STREAM_DESTROYED', 'closed'],
  ['ERR_STREAM_PREMATURE_CLOSE', 'closed'],
  ['ERR_TLS_CERT_ALTNAME_INVALID', 'certificateName'],
]);

/** OpenSSL's names for the peer's alert when it requires a client certificate, or another one. */
const CLIENT_CERTIFICATE_ALERT =
  /alert (certificate required|bad certificate|unknown ca|certificate unknown|certificate expired|certificate revoked|unsupported certificate|access denied)/i;
const NOT_TRUSTED =
  /^(CERT_|UNABLE_TO_|SELF_SIGNED_|DEPTH_ZERO_|CRL_|INVALID_|PATH_LENGTH|ERR_TLS_CERT)|_CERT(IFICATE)?_/;

type NodeError = Error & { code?: string | number; reason?: string };

const problemOf = (error: NodeError): NodeProblem => {
  const code = String(error.code ?? '');
  if (error.name === 'TimeoutError' || error.name === 'AbortError') return 'timeout';
  if (CLIENT_CERTIFICATE_ALERT.test(error.message)) return 'clientCertificate';
  const known = byCode.get(code);
  if (known) return known;
  if (code === 'EPROTO' || code.startsWith('ERR_SSL') || code.startsWith('ERR_TLS_')) return 'tls';
  if (NOT_TRUSTED.test(code)) return 'certificate';
  return code.startsWith('HPE_') ? 'protocol' : 'closed';
};

/** The useful part of OpenSSL's message. */
const reasonOf = (error: NodeError): string => (error.reason ?? error.message).split('\n', 1)[0]?.slice(0, 200) ?? '';

/** Converts any error of a connection to a NodeFailure. */
export const toNodeFailure = (error: unknown, at: { host: string; port: number }): NodeFailure => {
  if (error instanceof NodeFailure) return error;
  const nodeError = error instanceof Error ? (error as NodeError) : new Error(String(error));
  const problem = problemOf(nodeError);
  return new NodeFailure(problem, { host: at.host, port: at.port, reason: reasonOf(nodeError) });
};
