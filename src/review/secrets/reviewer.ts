// Reports the secrets that a diff adds or removes; no value of one leaves this file.

import { hmac } from '../../core/crypto.ts'
import { severities } from '../../core/issue-words.ts'
import { masked, withoutSecrets } from '../../reports/secrets.ts'
import type { CodeObservation, Severity } from '../../reports/types.ts'
import { isExamplePath, isGeneratedPath } from '../paths.ts'
import { type ChangedFile, type Found, REVIEW_TOOL, type ReviewContext, type Reviewer } from '../types.ts'
import { type FoundSecret, scanSecrets } from './scan.ts'

export const secrets: Reviewer = {
  name: 'secrets',
  accepts: ({ kind }) => kind !== 'BINARY' && kind !== 'MODE_CHANGED',
  *read(file, context) {
    for (const group of groupsOf(file, context))
      yield { kind: 'OBSERVATION', observation: observed(file, group) } satisfies Found
  },
}

/** The same secret of the same kind in one file, with its places, those in added lines first. */
type Group = { digest: string; places: FoundSecret[]; all: readonly string[] }

function groupsOf(file: ChangedFile, { key }: ReviewContext): Group[] {
  const path = file.newPath ?? file.path
  const groups = new Map<string, Group>()
  const found = scanSecrets(path, file.bytes).filter(({ detector }) => detector.rank < 2 || !isGeneratedPath(path))
  const all = [...new Set(found.map(({ secret }) => secret))].toSorted((one, other) => other.length - one.length)
  for (const one of [...found.filter(({ isRemoved }) => !isRemoved), ...found.filter(({ isRemoved }) => isRemoved)]) {
    const digest = hmac(key, one.secret).toString('hex', 0, 16)
    const known = groups.get(digest)
    // A secret that is removed at one line and added at another has moved.
    if (known === undefined) groups.set(digest, { digest, places: [one], all })
    else if (known.places[0]?.isRemoved === one.isRemoved) known.places.push(one)
  }
  return [...groups.values()]
}

function observed(file: ChangedFile, { digest, places, all }: Group): CodeObservation {
  const [first] = places
  if (!first) throw new Error('A group has a place')
  const { detector, isRemoved, number, column } = first
  const fileName = (isRemoved ? file.oldPath : file.newPath) ?? file.path
  return {
    kind: 'CODE',
    type: 'SECRET_FINDING',
    toolName: REVIEW_TOOL,
    ruleId: `secret/${detector.id}`,
    title: `${upper(detector.name)} ${isRemoved ? 'in the history, removed in this change' : 'in source code'}`,
    description: describe(first, isExamplePath(fileName)),
    severity: severityOf(first, fileName),
    cweIds: [798],
    solution:
      'Revoke it where it was issued, issue a new one, and keep that in a store for secrets. If it is none, say so in a comment on its line: merlon:allow',
    tags: isRemoved ? ['removed'] : undefined,
    // Told apart by what it is and where, so that it stays one finding when its line moves, and once more when it is removed.
    fingerprint: `secret:${detector.id}:${digest}:${fileName}`,
    fileName,
    line: isRemoved ? undefined : number,
    column: isRemoved ? undefined : column,
    codeSnippet: snippetOf(first, all),
    firstLine: isRemoved ? undefined : number,
    otherPlaces: places.length > 1 ? places.slice(1).map((place) => ({ fileName, line: place.number })) : undefined,
    commitRef: file.commitId ?? undefined,
  }
}

/** Characters of a line that are shown. */
const SHOWN = 300

/** The line without any of the file's secrets, or what is around the one that is told. */
function snippetOf({ text, secret }: FoundSecret, all: readonly string[]): string {
  const hidden = withoutSecrets(text, all) ?? ''
  if (hidden.length <= SHOWN) return hidden
  const at = Math.max(0, hidden.indexOf(masked(secret)) - SHOWN / 2)
  return hidden.slice(at, at + SHOWN).toWellFormed()
}

function describe({ detector, isRemoved }: FoundSecret, isExample: boolean): string {
  const what = isRemoved
    ? `The change removes a ${detector.name}. It stays in the history of the repository, where everyone with access can read it.`
    : `The change adds a ${detector.name}. Whoever can read the repository can use it, even after it is removed.`
  return isExample ? `${what} The file looks like a test or an example, so the severity is lower.` : what
}

/** One step less in what is removed, two less in tests and examples. */
function severityOf({ detector, isRemoved }: FoundSecret, path: string): Severity {
  const steps = (isRemoved ? 1 : 0) + (isExamplePath(path) ? 2 : 0)
  return severities[Math.max(1, severities.indexOf(detector.severity) - steps)] ?? detector.severity
}

const upper = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)
