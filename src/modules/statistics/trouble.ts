// What went wrong in each interval: blocked deploys and failed scans in it, and findings overdue at its end.

export type Trouble = { blockedDeploys: number; failedScans: number; breachedIssues: number }

/** How many more there are of a kind since an interval; 0 is the time before the first, 1 the first. */
export type TroubleChange = { kind: keyof Trouble; bucket: number; count: number }

/** Of each of `length` intervals the deploys and scans of it, and the findings that were past their date at its end. */
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
