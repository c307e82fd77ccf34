// Whether what is typed names findings: by the number of one, or by a vulnerability that they have.

export type Name = {
  filters: { ids: string[] } | { vulnerabilityIds: string[] }
  /** What it says of what it finds. */
  told: string
  /** The list of all that has the name, as its page has it in the address; none of a number, which one finding has. */
  list?: URLSearchParams
}

/** The longest number that an id may be. */
const NUMBER = /^#?([1-9]\d{0,17})$/
/** CVE-2021-44228, GHSA-jf85-cpcp-j695, SNYK-JS-LODASH-567746: parts joined by hyphens, of which one has a digit. */
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
