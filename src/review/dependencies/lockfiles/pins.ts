// Lockfiles of Dart and Swift, in which a package is a block with the place that it comes from.

import type { LockfileReader, Side, Told } from '../types.ts'

/** What the lines above a version say of the package, as far as the hunk shows it. */
type Pin = { name: string | null; isTouched: boolean; isFetched: boolean | null }

const fresh = (): Pin => ({ name: null, isTouched: false, isFetched: null })

/** What one line says: that another package begins, the name, whether it is fetched, the version. */
type Said = { begins?: boolean; name?: string | undefined; isFetched?: boolean; version?: string | undefined }

const readWith =
  (said: (text: string) => Said) =>
  ({ lines, touched }: Side): Told => {
    const told: Told = { packages: [], unclear: [] }
    let pin = fresh()
    for (const { mark, number, text } of lines) {
      const { begins, name, isFetched, version } = said(text)
      if (begins) pin = fresh()
      if (name !== undefined) pin = { ...pin, name }
      if (isFetched !== undefined) pin = { ...pin, isFetched }
      if ((name ?? isFetched) !== undefined) pin.isTouched ||= mark === touched
      if (version === undefined) continue
      const isNew = (mark === touched || pin.isTouched) && pin.isFetched !== false
      if (isNew && pin.name !== null && pin.isFetched) told.packages.push({ name: pin.name, version, line: number })
      else if (isNew) told.unclear.push(number)
      pin = fresh()
    }
    return told
  }

/** `  name:` above its description, where a package of a registry is named again, its source and its version. */
const pub = (text: string): Said => {
  const [, indent = '', key = '', value = ''] =
    /^( {0,6})([\w-]{1,100}):\s*["']?([^"']{0,300}?)["']?\s*$/.exec(text) ?? []
  if (indent.length === 2 && value === '') return { begins: true, name: key }
  if (indent.length === 6 && key === 'name') return { name: value }
  if (indent.length !== 4) return indent.length < 2 && key !== '' ? { begins: true } : {}
  if (key === 'source') return { isFetched: value === 'hosted' }
  return key === 'version' ? { version: value } : {}
}

/** The address of a package's repository, above the state that it is pinned to. */
const swift = (text: string): Said => {
  if (/^\s*(?:\{|\},?\s*$)/.test(text)) return { begins: true }
  const [, key = '', value = ''] = /^\s*"(\w{1,40})"\s*:\s*"([^"]{1,500})"/.exec(text) ?? []
  if (key === 'location' || key === 'repositoryURL') {
    const isFetched = /^(?:https?|ssh):\/\/|^git@/.test(value)
    return isFetched ? { name: value, isFetched } : { isFetched }
  }
  return key === 'version' ? { version: value } : {}
}

export const pins: readonly LockfileReader[] = [
  { ecosystem: 'Pub', isOf: (name) => name === 'pubspec.lock', read: readWith(pub) },
  { ecosystem: 'SwiftURL', isOf: (name) => name === 'Package.resolved', read: readWith(swift) },
]
