// Compares what a rule of identity calls the findings of each scan with what they are.

/** `key`: what the finding is; `id`: what the rule calls it. */
export type Identified = { key: string; id: string }

/** Of findings that were there in the scan before, and are in this one. */
export type Errors = { kept: number; falseNew: number; falseClosed: number; mistaken: number }

/**
 * falseNew: a finding that was there before gets an id that none had then. falseClosed: the id that it had then is gone.
 * mistaken: a finding that was not there before, or was another, gets the id of one that was.
 */
export function errorsOf(scans: readonly (readonly Identified[])[]): Errors {
  const errors = { kept: 0, falseNew: 0, falseClosed: 0, mistaken: 0 }
  for (const [at, scan] of scans.entries()) {
    const before = scans[at - 1]
    if (!before) continue
    const [byKey, byId] = [
      new Map(before.map(({ key, id }) => [key, id])),
      new Map(before.map(({ key, id }) => [id, key])),
    ]
    const present = new Set(scan.map(({ id }) => id))
    for (const { key, id } of scan) {
      const former = byKey.get(key)
      if (former === undefined) {
        if (byId.has(id)) errors.mistaken++
        continue
      }
      errors.kept++
      if (former === id) continue
      if (byId.has(id)) errors.mistaken++
      else errors.falseNew++
      if (!present.has(former)) errors.falseClosed++
    }
  }
  return errors
}

/** Errors for each 100 findings that were kept, as a table of Markdown. */
export function tableOf(rows: readonly (Errors & { name: string })[]): string {
  const per100 = (count: number, kept: number) => ((100 * count) / kept).toFixed(2)
  const lines = rows.map(({ name, kept, falseNew, falseClosed, mistaken }) => {
    const all = falseNew + falseClosed
    return `| ${name} | ${kept} | ${[falseNew, falseClosed, all, mistaken].map((count) => per100(count, kept)).join(' | ')} |`
  })
  return ['| rule | kept | false new | false closed | both | mistaken |', '|---|---|---|---|---|---|', ...lines].join(
    '\n',
  )
}
