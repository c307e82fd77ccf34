// The default budget of a scan.

import type { Budget } from './types.ts'

export const defaultBudget: Budget = {
  requests: 100_000,
  time: 3_600_000,
  rate: 200,
  concurrency: 6,
  timeout: 20_000,
  largest: 1024 * 1024,
}
