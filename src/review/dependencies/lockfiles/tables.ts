// Lockfiles in TOML that list packages as tables: Poetry, uv, PDM and Cargo.

import type { LockfileReader, Side, Told } from '../types.ts'

const stringOf = (text: string, key: string): string | undefined =>
  new RegExp(`^${key} = "([^"]{1,300})"`).exec(text)?.[1]

/** A table begins with `[[package]]`, and its name stands right above its version. */
function read({ lines, touched }: Side): Told {
  const told: Told = { packages: [], unclear: [] }
  let name: { value: string; isTouched: boolean } | null = null
  for (const { mark, number, text } of lines) {
    if (text.startsWith('[')) name = null
    const named = stringOf(text, 'name')
    if (named !== undefined) name = { value: named, isTouched: mark === touched }
    const version = stringOf(text, 'version')
    if (version === undefined) continue
    if (name === null) {
      if (mark === touched) told.unclear.push(number)
    } else if (mark === touched || name.isTouched) told.packages.push({ name: name.value, version, line: number })
    name = null
  }
  return told
}

export const tables: readonly LockfileReader[] = [
  { ecosystem: 'PyPI', isOf: (name) => /^(?:poetry|uv|pdm|pylock.*)\.(?:lock|toml)$/.test(name), read },
  { ecosystem: 'crates.io', isOf: (name) => name === 'Cargo.lock', read },
]
