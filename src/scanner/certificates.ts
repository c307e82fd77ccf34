// Collects what is wrong with the certificates of targets: they are accepted all the same, and reported.

import { checkServerIdentity, type TLSSocket } from 'node:tls'

/** `EXPIRED` also where it, or one that vouches for it, is not valid yet; `UNTRUSTED` where no authority that Node knows vouches for it. */
export type CertificateFault = 'EXPIRED' | 'OTHER_NAME' | 'UNTRUSTED'

const OUT_OF_TIME = /EXPIRED|NOT_YET_VALID/

/** What the other side of a connection that was made showed, asked for as `host`. */
export function faultsOf(socket: TLSSocket, host: string): CertificateFault[] {
  const certificate = socket.getPeerCertificate()
  const faults: CertificateFault[] = []
  const now = Date.now()
  // of several faults of a chain it has one
  const code = String(socket.authorizationError ?? '')
  const isOutOfTime = Date.parse(certificate.valid_to) < now || Date.parse(certificate.valid_from) > now
  if (isOutOfTime || OUT_OF_TIME.test(code)) faults.push('EXPIRED')
  if (checkServerIdentity(host, certificate) !== undefined) faults.push('OTHER_NAME')
  if (code !== '' && !OUT_OF_TIME.test(code) && !/ALTNAME/.test(code)) faults.push('UNTRUSTED')
  return faults
}
