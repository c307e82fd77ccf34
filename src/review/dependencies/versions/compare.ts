// Orders versions by ecosystem, under OSV's ecosystem names.

import { compareDart } from './dart.ts'
import { compareMaven } from './maven.ts'
import type { Compare } from './order.ts'
import { comparePhp } from './php.ts'
import { comparePython } from './python.ts'
import { compareRuby } from './ruby.ts'
import { compareNuget, compareSemver } from './semver.ts'

const ecosystems = {
  npm: compareSemver,
  'crates.io': compareSemver,
  Go: compareSemver,
  PyPI: comparePython,
  Maven: compareMaven,
  RubyGems: compareRuby,
  Packagist: comparePhp,
  NuGet: compareNuget,
  Pub: compareDart,
  Hex: compareSemver,
  SwiftURL: compareSemver,
} as const satisfies Record<string, Compare>

export type Ecosystem = keyof typeof ecosystems

export const isEcosystem = (name: string): name is Ecosystem => Object.hasOwn(ecosystems, name)

/** Null if one of the two is not a version of that ecosystem. */
export const compareVersions = (ecosystem: Ecosystem, left: string, right: string): ReturnType<Compare> =>
  ecosystems[ecosystem](left, right)
