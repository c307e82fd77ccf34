// Compares the ids that an identity rule gives to the findings of each scan with the ground truth.

/** `key` is the true identity of the finding; `id` is the one that the rule gives it. */
export type Identified = { key: string; id: string }

/** Counts for findings present both in the previous scan and in this one. */
type Errors = { kept: number; falseNew: number; falseClosed: number; mistaken: number }

/**
 * falseNew: a finding that was present before gets an id that none had then. falseClosed: the id that it had then is
 * gone. mistaken: a finding that was not present before, or was a different one, gets the id of one that was.
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

/** Errors per 100 kept findings, as a Markdown table. */
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
