// Checks the target's certificate: its validity period, its name, and its issuer.

import type { CertificateFault } from '../certificates.ts'
import type { TargetCheck } from '../check.ts'
import { quietly } from '../probing.ts'
import { get } from '../requests.ts'

const told: Readonly<Record<CertificateFault, { cwe: number; detail: string }>> = {
  EXPIRED: { cwe: 298, detail: 'The certificate, or one that vouches for it, is not valid at this time.' },
  OTHER_NAME: { cwe: 297, detail: 'The certificate is of another name than the one that was asked for.' },
  UNTRUSTED: {
    cwe: 295,
    detail: 'No authority that Node knows, or that NODE_EXTRA_CA_CERTS names, vouches for the certificate.',
  },
}

export const certificate: TargetCheck = {
  kind: 'target',
  id: 'certificate',
  title: 'The certificate of the target is not good',
  cwes: [295, 297, 298],
  severity: 'MEDIUM',
  solution: 'Have an authority that clients trust sign a certificate for the name, and renew it before it ends.',
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
