// Finds the package versions that a diff's manifests and lockfiles add, also in hunks that begin within an entry.

import type { ChangedFile, ChangedHunk, Found, Reviewer } from '../types.ts'
import { blocks } from './lockfiles/blocks.ts'
import { catalogue } from './lockfiles/catalogue.ts'
import { javascript } from './lockfiles/javascript.ts'
import { oneLine } from './lockfiles/lines.ts'
import { pins } from './lockfiles/pins.ts'
import { tables } from './lockfiles/tables.ts'
import type { LockfileReader, Side } from './types.ts'

const readers: readonly LockfileReader[] = [...javascript, ...tables, ...oneLine, ...blocks, ...pins, catalogue]

function readerOf({ path }: ChangedFile): LockfileReader | undefined {
  const name = path.slice(path.lastIndexOf('/') + 1)
  return readers.find(({ isOf }) => isOf(name, path))
}

export const dependencies: Reviewer = {
  name: 'dependencies',
  accepts: (file) => file.newPath !== null && file.kind !== 'BINARY' && readerOf(file) !== undefined,
  *read(file): Iterable<Found> {
    const reader = readerOf(file)
    if (!reader) return
    const hunks = reader.isWhole ? [{ lines: file.hunks().flatMap(({ lines }) => lines) }] : file.hunks()
    const told = new Set(hunks.flatMap((hunk) => reader.read(sideOf(hunk, '-')).packages.map(keyOf)))
    let unclear = 0
    for (const hunk of hunks) {
      const { packages, unclear: lines } = reader.read(sideOf(hunk, '+'))
      unclear += lines.length
      for (const found of packages) {
        // A version that was there before has only moved.
        if (told.has(keyOf(found))) continue
        told.add(keyOf(found))
        const { ecosystem } = reader
        yield {
          kind: 'PACKAGE',
          found: { ecosystem, ...found, name: properName(ecosystem, found.name), path: file.path },
        }
      }
    }
    if (unclear === 0) return
    const reason = `${unclear} added versions could not be matched to a package, because the diff does not show its name`
    yield { kind: 'NOTE', note: { kind: 'UNREAD', path: file.path, area: 'dependencies', reason } }
  },
}

const keyOf = ({ name, version }: { name: string; version: string }): string => `${name}\n${version}`

const sideOf = ({ lines }: Pick<ChangedHunk, 'lines'>, touched: '+' | '-'): Side => ({
  touched,
  lines: lines.filter(({ mark }) => mark === touched || mark === ' '),
})

/** The name under which an ecosystem knows the package: PyPI's are all one in case and signs (PEP 503), others in case. */
export function properName(ecosystem: string, name: string): string {
  if (ecosystem === 'PyPI') return name.toLowerCase().replace(/[-_.]{1,50}/g, '-')
  if (ecosystem === 'SwiftURL') return repositoryOf(name)
  return ecosystem === 'Packagist' || ecosystem === 'NuGet' ? name.toLowerCase() : name
}

/** A repository by its host and path, however its address is written. */
const repositoryOf = (address: string): string =>
  address
    .toLowerCase()
    .replace(/^[a-z+]{1,20}:\/\//, '')
    .replace(/^[^/@]{1,300}@/, '')
    .replace(/^([\w.-]{1,200}):(?=[^/\d])/, '$1/')
    .replace(/(?:\.git)?\/?$/, '')
