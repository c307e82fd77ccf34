// Collects what is wrong with the certificates of targets, which are accepted nevertheless, and reported.

import { checkServerIdentity, type TLSSocket } from 'node:tls'

/** `EXPIRED`: it or an issuer of it is expired or not valid yet. `UNTRUSTED`: no authority known to Node issued it. */
export type CertificateFault = 'EXPIRED' | 'OTHER_NAME' | 'UNTRUSTED'

const OUT_OF_TIME = /EXPIRED|NOT_YET_VALID/

/** What is wrong with the certificate of an open connection to `host`. */
export function faultsOf(socket: TLSSocket, host: string): CertificateFault[] {
  const certificate = socket.getPeerCertificate()
  const faults: CertificateFault[] = []
  const now = Date.now()
  // Node reports only one of several faults of a chain
  const code = String(socket.authorizationError ?? '')
  const isOutOfTime = Date.parse(certificate.valid_to) < now || Date.parse(certificate.valid_from) > now
  if (isOutOfTime || OUT_OF_TIME.test(code)) faults.push('EXPIRED')
  if (checkServerIdentity(host, certificate) !== undefined) faults.push('OTHER_NAME')
  if (code !== '' && !OUT_OF_TIME.test(code) && !/ALTNAME/.test(code)) faults.push('UNTRUSTED')
  return faults
}
