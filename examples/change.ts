// Changes the checkout it runs in as a developer might: in files that have findings, lines move, a file is renamed, a line is
// edited, a file is deleted; and a new file brings a finding of its own. It says what it did in ../changes.json.

import { execFileSync } from 'node:child_process'
import { appendFileSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

type Finding = { fileName: string; vulnerableLine: number; ruleId: string }

const [report = ''] = process.argv.slice(2)
const findings = readFileSync(report, 'utf8')
  .split('\n')
  .filter((line) => line !== '')
  .map((line) => JSON.parse(line) as Finding)

const byFile = Map.groupBy(findings, ({ fileName }) => fileName)
const [moved, renamed, edited, deleted] = [...byFile]
  .filter(([path, those]) => path.startsWith('src/') && those.length >= 2)
  .sort(([, left], [, right]) => right.length - left.length)
  .map(([path]) => path)
if (!moved || !renamed || !edited || !deleted) throw new Error('The scan found too little to show anything')

const comment = Array.from(
  { length: 12 },
  (_, number) => `// line ${number + 1} of a comment that moves all below it\n`,
).join('')
writeFileSync(moved, comment + readFileSync(moved, 'utf8'))

const newName = join(dirname(renamed), 'renamed', 'by-quick-start.ts')
execFileSync('mkdir', ['-p', dirname(newName)])
execFileSync('git', ['mv', renamed, newName])

const [touched] = byFile.get(edited) ?? []
const lines = readFileSync(edited, 'utf8').split('\n')
const index = (touched?.vulnerableLine ?? 1) - 1
lines[index] = `${lines[index]} // looked at`
writeFileSync(edited, lines.join('\n'))

execFileSync('git', ['rm', '--quiet', deleted])

const added = 'src/added-by-quick-start.ts'
appendFileSync(
  added,
  "// Brings a finding that was not there before.\nimport { readFileSync } from 'node:fs'\n\nexport const load = (path: string) => readFileSync(path)\n",
)

const changes = {
  moved,
  renamed: { from: renamed, to: newName },
  edited: { path: edited, line: index + 1 },
  deleted,
  added,
}
writeFileSync(join(dirname(report), 'changes.json'), JSON.stringify(changes))
