// Versions of Dart's packages: semantic ones, of which those with a build come after the same without (dart.dev, "Package versioning").

import type { Compare } from './order.ts'
import { compareIdentifiers, compareSemver } from './semver.ts'

const buildOf = (version: string): string[] => /\+([0-9A-Za-z.-]{1,200})$/.exec(version.trim())?.[1]?.split('.') ?? []

export const compareDart: Compare = (left, right) => {
  const order = compareSemver(left, right)
  return order === 0 ? compareIdentifiers(buildOf(left), buildOf(right)) : order
}
