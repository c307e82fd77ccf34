// Lockfiles in TOML that list packages as tables: Poetry, uv, PDM and Cargo.

import type { ChangedLine } from '../../types.ts'
import type { LockfileReader, Side, Told } from '../types.ts'

const stringOf = (text: string, key: string): string | undefined =>
  new RegExp(`^${key} = (?:"([^"]{1,300})"|'([^']{1,300})')`).exec(text)?.slice(1).find(Boolean)

/** Whether a version came from somewhere, is the project's own, or the hunk ends before it says so. */
type Origin = 'FETCHED' | 'OWN' | 'UNCLEAR'

type OriginOf = (rest: readonly ChangedLine[]) => Origin

/** A table begins with `[[package]]`, and its name stands right above its version. */
const readWith =
  (originOf: OriginOf) =>
  ({ lines, touched }: Side): Told => {
    const told: Told = { packages: [], unclear: [] }
    let name: { value: string; isTouched: boolean } | null = null
    for (const [index, { mark, number, text }] of lines.entries()) {
      if (text.startsWith('[')) name = null
      const named = stringOf(text, 'name')
      if (named !== undefined) name = { value: named, isTouched: mark === touched }
      const version = stringOf(text, 'version')
      if (version === undefined) continue
      const isTouched = mark === touched || (name?.isTouched ?? false)
      const origin = originOf(lines.slice(index + 1, index + 1 + NEAR))
      if (isTouched && (name === null || origin === 'UNCLEAR')) told.unclear.push(number)
      else if (isTouched && name !== null && origin === 'FETCHED')
        told.packages.push({ name: name.value, version, line: number })
      name = null
    }
    return told
  }

/** Lines behind a version that are looked at for where it came from. */
const NEAR = 6

/** The lines of the same table. */
function tableOf(rest: readonly ChangedLine[]): string[] {
  const end = rest.findIndex(({ text }) => text.startsWith('[') || text === '')
  return rest.slice(0, end < 0 ? undefined : end).map(({ text }) => text)
}

/** Cargo names the source of all but the project's own packages, in the next line. */
const cargoOrigin: OriginOf = (rest) => {
  const [next] = rest
  if (next === undefined) return 'UNCLEAR'
  return next.text.startsWith('source = ') ? 'FETCHED' : 'OWN'
}

/** uv and PDM say of the project's own packages where they lie. */
const pythonOrigin: OriginOf = (rest) => {
  const isOwn = tableOf(rest).some((text) =>
    /^(?:source = \{ (?:virtual|editable|directory|path) =|path = |editable = true|directory = )/.test(text),
  )
  return isOwn ? 'OWN' : 'FETCHED'
}

/** uv names the source of every package. */
const uvOrigin: OriginOf = (rest) => (rest.length === 0 ? 'UNCLEAR' : pythonOrigin(rest))

export const tables: readonly LockfileReader[] = [
  { ecosystem: 'PyPI', isOf: (name) => name === 'uv.lock', read: readWith(uvOrigin) },
  {
    ecosystem: 'PyPI',
    isOf: (name) => /^(?:poetry|pdm|pylock.*)\.(?:lock|toml)$/.test(name),
    read: readWith(pythonOrigin),
  },
  { ecosystem: 'crates.io', isOf: (name) => name === 'Cargo.lock', read: readWith(cargoOrigin) },
]
