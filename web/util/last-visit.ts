// Remembers in this browser which company was viewed last, and when; a visit ends after half an hour without a page view.

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

/** When the visit before this one ended; null if there was none, or the browser stores nothing. */
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
    // Without storage, the page shows the last week.
  }
}

const COMPANY = 'merlon.company'

/** The company viewed last in any tab; null if there was none, or the browser stores nothing. */
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
    // Without storage, the console starts with the first company.
  }
}
