// What is wrong with the certificates that targets answer with: they are taken all the same, and told of.

import { checkServerIdentity, type TLSSocket } from 'node:tls'

/** `EXPIRED` also where it is not valid yet; `UNTRUSTED` where nobody vouches for it whom this machine knows. */
export type CertificateFault = 'EXPIRED' | 'OTHER_NAME' | 'UNTRUSTED'

/** What the other side of a connection that was made showed, asked for as `host`. */
export function faultsOf(socket: TLSSocket, host: string): CertificateFault[] {
  const certificate = socket.getPeerCertificate()
  const faults: CertificateFault[] = []
  const now = Date.now()
  if (Date.parse(certificate.valid_to) < now || Date.parse(certificate.valid_from) > now) faults.push('EXPIRED')
  if (checkServerIdentity(host, certificate) !== undefined) faults.push('OTHER_NAME')
  // of several faults it has one code
  const code = String(socket.authorizationError ?? '')
  if (code !== '' && !/EXPIRED|NOT_YET_VALID|ALTNAME/.test(code)) faults.push('UNTRUSTED')
  return faults
}
