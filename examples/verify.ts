// Compares what the service says of the findings with what the code says: which moved, were renamed, touched, are gone, are new.

import { readFileSync } from 'node:fs'
import { join } from 'node:path'

type Finding = { ruleId: string; fileName: string; vulnerableLine: number; column: number }
type Pushed = { line: number; outcome: string; matchedBy: string; issueId: string }
type Seen = Finding & Pushed

const [work = '.'] = process.argv.slice(2)
const read = (name: string) => readFileSync(join(work, name), 'utf8')
const changes = JSON.parse(read('changes.json'))

/** The findings of a scan beside what became of each when it was reported. */
function seen(scan: string): Seen[] {
  const reported = read(`${scan}.ndjson`)
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Finding)
  const { findings, refused } = JSON.parse(read(`${scan}.json`)) as { findings: Pushed[]; refused: unknown[] }
  if (refused.length > 0 || findings.length !== reported.length)
    throw new Error(`Findings of the ${scan} report were refused`)
  return findings.map((pushed) => ({ ...reported[pushed.line - 1], ...pushed }) as Seen)
}

const [first, second] = [seen('first'), seen('second')]

/** Where a finding of the first scan must be in the second, as the changes to the code say; null when its code is gone. */
function expected({ fileName, vulnerableLine, ...rest }: Seen): string | null {
  if (fileName === changes.deleted) return null
  if (fileName === changes.moved) return placeOf({ ...rest, fileName, vulnerableLine: vulnerableLine + 12 })
  if (fileName === changes.renamed.from) return placeOf({ ...rest, fileName: changes.renamed.to, vulnerableLine })
  return placeOf({ ...rest, fileName, vulnerableLine })
}

const placeOf = ({ ruleId, fileName, vulnerableLine, column }: Finding) =>
  `${ruleId} ${fileName}:${vulnerableLine}:${column}`

const now = new Map(second.map((finding) => [placeOf(finding), finding]))
const lost: string[] = []
const changed: string[] = []
const kept = { moved: 0, renamed: 0, touched: 0, unchanged: 0 }
for (const before of first) {
  const place = expected(before)
  if (place === null) continue
  const after = now.get(place)
  if (!after) lost.push(place)
  else if (after.issueId !== before.issueId) changed.push(place)
  else kept[kindOf(before)] += 1
  now.delete(place)
}

function kindOf({ fileName, vulnerableLine }: Seen): keyof typeof kept {
  if (fileName === changes.moved) return 'moved'
  if (fileName === changes.renamed.from) return 'renamed'
  return fileName === changes.edited.path && vulnerableLine === changes.edited.line ? 'touched' : 'unchanged'
}

const isNew = [...now.values()]
const wronglyOld = isNew.filter(({ outcome }) => outcome !== 'CREATED')
const wronglyNew = second.filter((finding) => finding.outcome === 'CREATED' && !isNew.includes(finding))

type Answer = { data: { deploy: Record<'introduced' | 'touched' | 'fixed', { collection: { id: string }[] }> } }
const deployId = JSON.parse(read('deploy.json')).id
const query = `{ deploy(id: ${deployId}) { ${['introduced', 'touched', 'fixed'].map((kind) => `${kind}(pagination: { perPage: 1000 }) { collection { id } }`).join(' ')} } }`
const response = await fetch(`${process.env.MERLON_URL}/graphql`, {
  method: 'POST',
  headers: { 'content-type': 'application/json', 'x-api-key': process.env.MERLON_API_KEY ?? '' },
  body: JSON.stringify({ query }),
})
const { data } = (await response.json()) as Answer
const ids = (of: { issueId: string }[]) => [...new Set(of.map(({ issueId }) => issueId))].sort()
const wanted = {
  introduced: ids(isNew),
  touched: ids(first.filter((finding) => kindOf(finding) === 'touched')),
  fixed: ids(first.filter(({ fileName }) => fileName === changes.deleted)),
}

console.log(`${first.length} findings before, ${second.length} after.`)
console.log(
  `The same issue: ${kept.unchanged} unchanged, ${kept.moved} moved down by 12 lines, ${kept.renamed} in the renamed file, ${kept.touched} on the edited line.`,
)
console.log(`New: ${isNew.length}, all in code that is new. Gone with the deleted file: ${wanted.fixed.length}.`)

const faults = [
  ...lost.map((place) => `lost: ${place}`),
  ...changed.map((place) => `another issue than before: ${place}`),
  ...wronglyNew.map((finding) => `new, though its code is not: ${placeOf(finding)}`),
  ...wronglyOld.map((finding) => `not new, though its code is: ${placeOf(finding)}`),
]
for (const kind of ['introduced', 'touched', 'fixed'] as const) {
  const told = data.deploy[kind].collection.map(({ id }) => id).sort()
  const isRight = JSON.stringify(told) === JSON.stringify(wanted[kind])
  console.log(
    `The deploy says ${kind}: ${told.length}${isRight ? ', which is right' : `; the code says ${wanted[kind].length}`}`,
  )
  if (!isRight) faults.push(`${kind}: the deploy names ${told.join(' ')}, the code ${wanted[kind].join(' ')}`)
}
for (const fault of faults) console.log(`✗ ${fault}`)
if (faults.length > 0) process.exit(1)
