// Checks the target's certificate: its validity period, its name, and its issuer.

import type { CertificateFault } from '../certificates.ts'
import type { TargetCheck } from '../check.ts'
import { quietly } from '../probing.ts'
import { get } from '../requests.ts'

const told: Readonly<Record<CertificateFault, { cwe: number; detail: string }>> = {
  EXPIRED: { cwe: 298, detail: 'The certificate, or one in its chain, has expired or is not valid yet.' },
  OTHER_NAME: { cwe: 297, detail: 'The certificate was issued for another host name.' },
  UNTRUSTED: {
    cwe: 295,
    detail: 'The certificate was not issued by an authority that Node or NODE_EXTRA_CA_CERTS trusts.',
  },
}

export const certificate: TargetCheck = {
  kind: 'target',
  id: 'certificate',
  title: 'Invalid TLS certificate',
  cwes: [295, 297, 298],
  severity: 'MEDIUM',
  solution:
    'Use a certificate for this host name from an authority that clients trust, and renew it before it expires.',
  profile: 'BASIC',
  async *probe(context) {
    const { target } = context
    if (target.protocol !== 'https:') return
    const exchange = await quietly(context.send(get(target.href), { identity: null }))
    if (exchange === null) return
    for (const fault of context.certificateFaults(target.href)) {
      const { cwe, detail } = told[fault]
      yield { cwes: [cwe], detail, proof: [], exchange, cause: `${target.origin} ${fault}` }
    }
  },
}
