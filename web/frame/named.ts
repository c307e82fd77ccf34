// Recognises when search text names findings: by a finding's number, or by a vulnerability id.

export type Name = {
  filters: { ids: string[] } | { vulnerabilityIds: string[] }
  /** How the palette describes what it found by this name. */
  told: string
  /**
   * The search parameters of the page that lists all findings with this name; absent for a number, which only one
   * finding has.
   */
  list?: URLSearchParams
}

/** Up to the longest number that an id can be. */
const NUMBER = /^#?([1-9]\d{0,17})$/
/** CVE-2021-44228, GHSA-jf85-cpcp-j695, SNYK-JS-LODASH-567746: hyphen-separated parts, at least one with a digit. */
const VULNERABILITY = /^(?=[^-]*-.*\d)[a-z]{2,12}(?:-[a-z0-9.]{1,40}){1,6}$/i

export function nameOf(typed: string): Name | null {
  const number = NUMBER.exec(typed)?.[1]
  if (number !== undefined) return { filters: { ids: [number] }, told: `finding ${number}` }
  if (!VULNERABILITY.test(typed)) return null
  return {
    filters: { vulnerabilityIds: [typed] },
    told: typed,
    list: new URLSearchParams({ vulnerability: typed, status: 'any' }),
  }
}
