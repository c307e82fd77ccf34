// What is wrong with a certificate, by its own words and by those of who judged the chain.

import { expect, test } from 'vitest'
import { faultsOf } from './certificates.ts'

const YEAR = 365 * 86_400_000

/** A connection to shop.example whose certificate itself is good, as the chain of it was judged. */
const shown = (authorizationError: string | null) => ({
  authorizationError,
  getPeerCertificate: () => ({
    subject: { CN: 'shop.example' },
    subjectaltname: 'DNS:shop.example',
    valid_from: new Date(Date.now() - YEAR).toUTCString(),
    valid_to: new Date(Date.now() + YEAR).toUTCString(),
  }),
})

test.each([
  [null, []],
  ['CERT_HAS_EXPIRED', ['EXPIRED']],
  ['CERT_NOT_YET_VALID', ['EXPIRED']],
  ['UNABLE_TO_VERIFY_LEAF_SIGNATURE', ['UNTRUSTED']],
])('a chain that was judged %s', (judgement, faults) => {
  expect(faultsOf(shown(judgement) as never, 'shop.example')).toEqual(faults)
})
