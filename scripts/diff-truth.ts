// Prints how closely the diff engine agrees with git over the histories of the repositories named on the command line.

import { parseArgs } from 'node:util'
import { checkHistory, checkMerges } from '../test/diff-truth/check.ts'

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: { limit: { type: 'string', default: 'Infinity' } },
})
if (positionals.length === 0) {
  console.error('usage: diff-truth.ts REPOSITORY… [--limit COMMITS]')
  process.exit(2)
}
let differences = 0
for (const repo of positionals) {
  const limit = Number(values.limit)
  const history = await checkHistory(repo, limit)
  const combined = await checkMerges(repo, limit, '-c')
  const dense = await checkMerges(repo, limit, '--cc')
  const all = [...history.differences, ...combined.differences, ...dense.differences]
  differences += all.length
  console.log(
    `${repo}: ${history.commits} commits, ${history.files} files (${history.renames} renames, ` +
      `${history.binaries} binary, ${history.typeChanges} changes of type), ${history.lines} lines; ` +
      `-c: ${combined.files} files of ${combined.merges} merges; --cc: ${dense.files} files of ${dense.merges} merges, ` +
      `${dense.dense} without hunks that one parent explains; ${all.length} differences`,
  )
  for (const difference of all.slice(0, 20)) console.log(`  ${JSON.stringify(difference).slice(0, 200)}`)
}
process.exit(differences === 0 ? 0 : 1)
