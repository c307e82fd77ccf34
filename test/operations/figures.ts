// Computes and formats the figures of these trials.

/** The quantile of the values, such as 0.99 for the 99th percentile. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((left, right) => left - right)
  return sorted[Math.min(sorted.length - 1, Math.ceil(share * sorted.length) - 1)] ?? 0
}

export const milliseconds = (value: number): string => `${Math.round(value)} ms`

export const spread = (values: readonly number[]): string =>
  `p50 ${milliseconds(quantile(values, 0.5))}, p99 ${milliseconds(quantile(values, 0.99))}, max ${milliseconds(Math.max(...values))}`
