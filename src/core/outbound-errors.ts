// The ways in which an outgoing call can fail: a closed list of reasons, which never name the called address.

const outboundReasons = {
  BAD_ADDRESS: 'the address cannot be called',
  FORBIDDEN_ADDRESS: 'the address does not lead to the public internet',
  NOT_FOUND: 'the host name cannot be resolved',
  UNREACHABLE: 'the host could not be reached',
  UNTRUSTED: 'the certificate of the host is not trusted',
  TIMEOUT: 'no complete response arrived in time',
  TOO_LARGE: 'the response is too large',
  CUT: 'the connection was closed before the end of the response',
  SENT_ELSEWHERE: 'the response redirects to another host',
  UNREADABLE: 'the response has an unsupported encoding',
} as const

type OutboundReason = keyof typeof outboundReasons

/** A call without an answer. `isSent` is false if the host cannot have seen the request. */
export class OutboundFailed extends Error {
  override readonly name = 'OutboundFailed'
  readonly reason: OutboundReason
  readonly isSent: boolean

  constructor(reason: OutboundReason, isSent: boolean, detail?: string, cause?: unknown) {
    super(`${outboundReasons[reason]}${detail ? ` (${detail})` : ''}`, { cause })
    this.reason = reason
    this.isSent = isSent
  }
}

const CERTIFICATE = /^(CERT_|ERR_TLS_|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO_|ERR_SSL|EPROTO|HOSTNAME_MISMATCH)/
const BEFORE_SENDING = new Set([
  'ECONNREFUSED',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'UND_ERR_CONNECT_TIMEOUT',
  'EADDRNOTAVAIL',
])
const TIMES = new Set(['TIMEOUT', 'UND_ERR_HEADERS_TIMEOUT', 'UND_ERR_BODY_TIMEOUT', 'ETIMEDOUT'])

/** The reason for a network error; `isConnected`: whether the connection was established by then. */
export function readFailure(error: unknown, isConnected: boolean): OutboundFailed {
  if (error instanceof OutboundFailed) return error
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  const name = error instanceof Error ? error.name : ''
  if (name === 'TimeoutError' || TIMES.has(code)) return new OutboundFailed('TIMEOUT', isConnected, undefined, error)
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN' || code === 'EAI_NODATA') {
    return new OutboundFailed('NOT_FOUND', false, undefined, error)
  }
  if (CERTIFICATE.test(code)) return new OutboundFailed('UNTRUSTED', false, code, error)
  if (BEFORE_SENDING.has(code)) return new OutboundFailed('UNREACHABLE', false, code, error)
  if (/^Z_|^ERR_BROTLI|^ERR_BUFFER_TOO_LARGE/.test(code)) return new OutboundFailed('UNREADABLE', true, code, error)
  return new OutboundFailed('CUT', isConnected, code || undefined, error)
}
