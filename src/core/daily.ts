// Schedules daily fetches: an hourly job asks whether a day has passed since the last fetch.

/** Milliseconds between fetches: a day, less the hour between two checks. */
const EVERY = 23 * 3_600_000

/** Whether a fetch is due, given when the last one was, or null for never. */
export const isDueAgain = (fetchedAt: string | null): boolean =>
  fetchedAt === null || Date.now() - Date.parse(fetchedAt) >= EVERY
