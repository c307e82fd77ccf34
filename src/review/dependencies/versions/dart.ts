// Versions of Dart packages: semantic versions, of which one with a build sorts after the same one without (dart.dev, "Package versioning").

import type { Compare } from './order.ts'
import { compareIdentifiers, compareSemver } from './semver.ts'

const buildOf = (version: string): string[] => /\+([0-9A-Za-z.-]{1,200})$/.exec(version.trim())?.[1]?.split('.') ?? []

export const compareDart: Compare = (left, right) => {
  const order = compareSemver(left, right)
  return order === 0 ? compareIdentifiers(buildOf(left), buildOf(right)) : order
}
