// Trouble in each interval: blocked deploys and failed scans in it, and findings overdue at its end.

export type Trouble = { blockedDeploys: number; failedScans: number; breachedIssues: number }

/** The increase of one kind in an interval; interval 1 is the first, 0 all time before it. */
export type TroubleChange = { kind: keyof Trouble; bucket: number; count: number }

/** For each of `length` intervals, its blocked deploys and failed scans, and the findings overdue at its end. */
export function troubleOf(changes: readonly TroubleChange[], length: number): Trouble[] {
  const sumOf = (kind: keyof Trouble, counts: (bucket: number) => boolean) => {
    let sum = 0
    for (const change of changes) if (change.kind === kind && counts(change.bucket)) sum += change.count
    return sum
  }
  return Array.from({ length }, (_, index) => ({
    blockedDeploys: sumOf('blockedDeploys', (bucket) => bucket === index + 1),
    failedScans: sumOf('failedScans', (bucket) => bucket === index + 1),
    breachedIssues: sumOf('breachedIssues', (bucket) => bucket <= index + 1),
  }))
}
