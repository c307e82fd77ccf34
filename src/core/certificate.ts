// The accepted certificate of a host that no authority vouches for: one with a given fingerprint, or any.

/** `sha256`: 64 digits in lower case, of the certificate as a whole (what `openssl x509 -fingerprint -sha256` prints). */
export type Certificate = 'any' | { sha256: string }

/** Reads `any`, or a fingerprint with or without colons, or the line in which openssl prints it; null for anything else. */
export function readCertificate(given: string): Certificate | null {
  if (given === 'any') return 'any'
  const sha256 = given
    .replace(/^sha-?256( fingerprint)?[:=]/i, '')
    .replaceAll(':', '')
    .toLowerCase()
  return /^[0-9a-f]{64}$/.test(sha256) ? { sha256 } : null
}
