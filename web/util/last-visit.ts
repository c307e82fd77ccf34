// Which company was looked at last in this browser, and when each was: a visit ends after half an hour without a look.

const PAUSE = 30 * 60_000

const keyOf = (companyId: string) => `merlon.visit.${companyId}`

type Visit = { before: string | null; last: string }

function read(companyId: string): Visit | null {
  try {
    const { before, last } = JSON.parse(localStorage.getItem(keyOf(companyId)) ?? 'null') ?? {}
    return typeof last === 'string' ? { before: typeof before === 'string' ? before : null, last } : null
  } catch {
    return null
  }
}

/** The end of the visit before this one; null where there was none, or where the browser keeps nothing. */
export function lastVisit(companyId: string, now = Date.now()): string | null {
  const visit = read(companyId)
  if (!visit) return null
  return now - Date.parse(visit.last) > PAUSE ? visit.last : visit.before
}

export function noteVisit(companyId: string): void {
  const now = Date.now()
  try {
    const visit: Visit = { before: lastVisit(companyId, now), last: new Date(now).toISOString() }
    localStorage.setItem(keyOf(companyId), JSON.stringify(visit))
  } catch {
    // A browser that keeps nothing shows the last week.
  }
}

const COMPANY = 'merlon.company'

/** The company that was looked at last, in whichever tab; null where there was none, or where the browser keeps nothing. */
export function lastCompany(): string | null {
  try {
    return localStorage.getItem(COMPANY)
  } catch {
    return null
  }
}

export function noteCompany(companyId: string): void {
  try {
    localStorage.setItem(COMPANY, companyId)
  } catch {
    // A browser that keeps nothing begins with the first one.
  }
}
