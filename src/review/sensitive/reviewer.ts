// The reviewer that notes sensitive changes: authentication, authorization, cryptography, the build, infrastructure.

import { isMock, isTestPath } from '../paths.ts'
import type { ChangedFile, Found, Reviewer } from '../types.ts'
import { API_VERSION, type Area, type AreaCues, areas, INSTALL_SCRIPT, MANIFEST, MANIFEST_KIND } from './areas.ts'

/** Programming languages, in which the words of paths and lines are cues; in prose and data they are not. */
const code = new Set(
  'JavaScript TypeScript TSX Python Java PHP Go Ruby C# Kotlin Scala Rust Swift Elixir C C++ Groovy PLpgSQL SQL Vue Svelte'.split(
    ' ',
  ),
)

/** Lines of a file that are looked at for its cues. */
const MOST_LINES = 20_000

export const sensitive: Reviewer = {
  name: 'sensitive',
  accepts: ({ kind }) => kind !== 'BINARY',
  read: readFile,
}

function* readFile(file: ChangedFile): Iterable<Found> {
  const { path, oldPath } = file
  const seen = new Set<Area>()
  for (const cues of areas) {
    const reason = reasonOf(cues, file)
    if (reason === null || seen.has(cues.area)) continue
    seen.add(cues.area)
    const place = oldPath !== null && oldPath !== path ? `${reason} It was ${oldPath} before.` : reason
    yield { kind: 'NOTE', note: { kind: 'SENSITIVE', path, area: cues.area, reason: place } }
  }
}

/** One sentence: why the change is of the area; null where it is not. */
function reasonOf({ area, what, files, words, lines }: AreaCues, file: ChangedFile): string | null {
  const { path, kind, language } = file
  const verb = kind === 'ADDED' ? 'adds to' : kind === 'DELETED' ? 'removes from' : 'changes'
  if (files.some((each) => each.test(path))) return `By its name, it ${verb} ${what}.`
  if (area === 'CI') return changed(file, path.endsWith('package.json') ? INSTALL_SCRIPT : null, 'install scripts')
  if (area === 'INFRASTRUCTURE') {
    if (language !== 'YAML') return null
    return changed(file, changed(file, API_VERSION, what, true) === null ? MANIFEST_KIND : MANIFEST, what, true)
  }
  if (language === null || !code.has(language) || isTestPath(path) || isMock(path)) return null
  const word = wordsOf(path).find((each) => words.includes(each))
  if (word !== undefined) return `Its path contains “${word}”: it ${verb} ${what}.`
  return changed(file, lines, what)
}

/** The first line that was added or removed and says so; with `around` a line that stayed counts too. */
function changed(file: ChangedFile, cue: RegExp | null, what: string, around = false): string | null {
  if (cue === null) return null
  let left = MOST_LINES
  for (const { lines } of file.hunks()) {
    for (const { mark, number, text } of lines) {
      if (--left < 0) return null
      if ((mark === ' ' && !around) || text.length > 1000) continue
      const found = cue.exec(text)
      if (!found) continue
      const where = mark === '-' ? `removed line ${number}` : `line ${number}`
      return `It changes ${what}: ${where} has “${found[0].trim().slice(0, 60).toWellFormed()}”.`
    }
  }
  return null
}

/** The words of a path: `src/userSession/jwt-guard.ts` is src, user, session, jwt, guard. */
const wordsOf = (path: string): string[] =>
  path
    .replace(/\.\w+$/, '')
    .replace(/([a-z\d])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z\d]+/)
