// Parses a package URL (purl-spec): type, name with namespace, version.

import { percentDecoded } from '../core/percent.ts'

type PackageUrl = { type: string; name: string; version?: string }

/** Null if the text is not a package URL. */
export function readPurl(value: string | undefined): PackageUrl | null {
  const [, type, path] = /^pkg:\/{0,2}([A-Za-z][A-Za-z0-9.+-]*)\/([^?#]{1,2000})/.exec(value ?? '') ?? []
  if (type === undefined || path === undefined) return null
  const mark = path.lastIndexOf('@')
  const isVersioned = mark > 0
  const whole = percentDecoded(isVersioned ? path.slice(0, mark) : path)
  const name = type.toLowerCase() === 'maven' ? whole.replace(/\/(?=[^/]*$)/, ':') : whole
  const version = isVersioned ? percentDecoded(path.slice(mark + 1)) : undefined
  return { type: type.toLowerCase(), name, version: version || undefined }
}

/** The name in the package manager's own notation: `group:artifact` for Maven, `@scope/name` for npm. */
export const packageName = (group: string | undefined, name: string, purl: string | undefined): string =>
  readPurl(purl)?.name ?? (group === undefined ? name : `${group}/${name}`)
