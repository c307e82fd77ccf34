// The names of kinds of threats in STRIDE, CIA and LINDDUN, and the STRIDE kind that each is.

import type { Stride } from './types.ts'
import { plain } from './values.ts'

/**
 * CIA names what is lost, STRIDE how: confidentiality is lost by disclosure, integrity by tampering, availability by denial. Of
 * LINDDUN only the disclosure of information has its like; the others are about privacy, and no kind of STRIDE.
 */
const kinds: Readonly<Record<string, Stride>> = {
  spoofing: 'SPOOFING',
  spoofingidentity: 'SPOOFING',
  tampering: 'TAMPERING',
  tamperingwithdata: 'TAMPERING',
  integrity: 'TAMPERING',
  repudiation: 'REPUDIATION',
  informationdisclosure: 'INFORMATION_DISCLOSURE',
  disclosureofinformation: 'INFORMATION_DISCLOSURE',
  confidentiality: 'INFORMATION_DISCLOSURE',
  denialofservice: 'DENIAL_OF_SERVICE',
  availability: 'DENIAL_OF_SERVICE',
  elevationofprivilege: 'ELEVATION_OF_PRIVILEGE',
  elevationofprivileges: 'ELEVATION_OF_PRIVILEGE',
  privilegeescalation: 'ELEVATION_OF_PRIVILEGE',
}

/** The kinds of STRIDE that these words name, each once. */
export function strideOf(categories: readonly string[]): Stride[] {
  const found = categories.flatMap((category) => {
    const word = plain(category)
    return Object.hasOwn(kinds, word) ? (kinds[word] ?? []) : []
  })
  return [...new Set(found)]
}
