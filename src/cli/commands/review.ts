// `merlon review`: reviews a change on this machine alone, just as a deploy's review does, and exits with 4 when it finds too much.

import { randomBytes } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { type Command, Option } from 'commander'
import { severities } from '../../core/issue-words.ts'
import type { ComponentObservation, Severity } from '../../reports/types.ts'
import { ArchiveFault, readArchive } from '../../review/dependencies/advisories/archive.ts'
import { findingsOf } from '../../review/dependencies/advisories/match.ts'
import { readAdvisory } from '../../review/dependencies/advisories/record.ts'
import type { Known } from '../../review/dependencies/advisories/types.ts'
import { reviewDiff } from '../../review/run.ts'
import type { ChangedPackage, Note } from '../../review/types.ts'
import { BLOCKED, REFUSED } from '../exit.ts'
import { sizeOf } from '../files.ts'
import { commitOf, countUntracked, readDiff } from '../git.ts'
import { counted, printJson, say } from '../output.ts'
import { oneOf } from '../values.ts'
import { WrongUse } from '../wrong-use.ts'
import { asSarif, asText, type Reviewed } from './review-formats.ts'

const formats = ['text', 'json', 'sarif'] as const

type Options = {
  from: string
  to?: string
  diff?: string
  advisories?: string
  format: (typeof formats)[number]
  failOn?: Severity
}

export function review(command: Command): void {
  command
    .option('--from <commit>', 'where the change starts', 'HEAD')
    .option('--to <commit>', 'where the change ends; by default the tracked files in the working tree')
    .option('--diff <file>', 'review a diff from a file instead, or from - for standard input')
    .option('--advisories <file>', 'check package versions against an archive of OSV')
    .addOption(new Option('--format <format>', 'output format').choices(formats).default('text'))
    .option(
      '--fail-on <severity>',
      `exit with ${BLOCKED} if there is a finding of at least this severity`,
      oneOf('--fail-on', severities),
    )
    .action(async (options: Options) => {
      const limit = options.failOn === undefined ? -1 : severities.indexOf(options.failOn)
      const reviewed = await reviewOf(options)
      if (options.format === 'json') printJson(reviewed)
      else if (options.format === 'sarif') printJson(asSarif(reviewed))
      else say(asText(reviewed))
      const rank = ({ severity }: { severity?: Severity }) => severities.indexOf(severity ?? 'MEDIUM')
      if (limit >= 0 && reviewed.findings.some((finding) => rank(finding) >= limit)) process.exitCode = BLOCKED
      // a pipeline must not take what was not read for what is clean
      else if (reviewed.unread.some(({ area }) => area === WHOLE)) process.exitCode = REFUSED
    })
}

/** The area of a note about the diff as a whole. */
const WHOLE = 'all'

async function openDiff({ from, to, diff }: Options): Promise<AsyncIterable<Uint8Array>> {
  if (diff === '-') return process.stdin
  if (diff === undefined) {
    const start = await commitOf(from, 'give a diff with --diff')
    return readDiff(start, to === undefined ? null : await commitOf(to))
  }
  await sizeOf(diff)
  return createReadStream(diff)
}

async function reviewOf(options: Options): Promise<Reviewed> {
  const { to, diff, advisories } = options
  const source = await openDiff(options)
  const reviewed: Reviewed = { findings: [], sensitive: [], unread: [], files: 0, packages: 0 }
  const packages: ChangedPackage[] = []
  const reading = reviewDiff(source, { key: randomBytes(32) })
  for (;;) {
    const next = await reading.next()
    if (next.done) {
      const { files, reason } = next.value
      // An empty diff from git means that nothing has changed; an empty file given with --diff is a fault.
      if (reason !== null && (files > 0 || diff !== undefined)) reviewed.unread.push(unread(WHOLE, reason))
      reviewed.files = files
      break
    }
    const found = next.value
    if (found.kind === 'OBSERVATION') reviewed.findings.push(found.observation)
    else if (found.kind === 'PACKAGE') packages.push(found.found)
    else (found.note.kind === 'SENSITIVE' ? reviewed.sensitive : reviewed.unread).push(found.note)
  }
  const untracked = diff === undefined && to === undefined ? await countUntracked() : 0
  if (untracked > 0) {
    const reason = `${counted(untracked, 'untracked file was', 'untracked files were')} not reviewed: git add what belongs to the change, and ignore the rest`
    reviewed.unread.push(unread('untracked', reason))
  }
  reviewed.packages = packages.length
  if (advisories !== undefined) reviewed.findings.push(...(await vulnerable(advisories, packages)))
  else if (packages.length > 0) {
    reviewed.unread.push(
      unread(
        'dependencies',
        `${counted(packages.length, 'package version was', 'package versions were')} not checked for known vulnerabilities: give --advisories`,
      ),
    )
  }
  return reviewed
}

const unread = (area: string, reason: string): Note => ({ kind: 'UNREAD', path: null, area, reason })

const keyOf = ({ ecosystem, name }: { ecosystem: string; name: string }) => `${ecosystem}/${name}`

/** The archive's advisories on these packages; those on others are not kept in memory. */
async function vulnerable(file: string, packages: readonly ChangedPackage[]): Promise<ComponentObservation[]> {
  const wanted = new Set(packages.map(keyOf))
  const known = new Map<string, Known[]>()
  await sizeOf(file)
  try {
    for await (const { value } of readArchive(createReadStream(file), () => {})) {
      const advisory = readAdvisory(value)
      for (const affected of advisory?.affected ?? []) {
        const key = keyOf(affected)
        if (!advisory || !wanted.has(key)) continue
        known.set(key, [...(known.get(key) ?? []), { id: advisory.id, said: advisory.said, ...affected }])
      }
    }
  } catch (error) {
    if (error instanceof ArchiveFault) throw new WrongUse(`${file}: ${error.message}`)
    throw error
  }
  return packages.flatMap((one) => findingsOf(one, known.get(keyOf(one)) ?? []))
}
