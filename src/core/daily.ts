// Keeps what is fetched once a day on time: it is looked at every hour and fetched when a day has passed.

/** Milliseconds from one fetch to the next: a day, less the hour between two looks. */
const EVERY = 23 * 3_600_000

/** Whether what was fetched last at that moment, or never, is to be fetched again. */
export const isDueAgain = (fetchedAt: string | null): boolean =>
  fetchedAt === null || Date.now() - Date.parse(fetchedAt) >= EVERY
