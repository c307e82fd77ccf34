// Versions stand in the order that their ecosystem documents.

import { describe, expect, test } from 'vitest'
import { compareVersions, type Ecosystem } from './compare.ts'

/** Each list ascends; `=` joins versions that are equal. */
const ascending: Record<string, [Ecosystem, string[]]> = {
  'semver.org, section 11': [
    'npm',
    [
      '1.0.0-alpha',
      '1.0.0-alpha.1',
      '1.0.0-alpha.beta',
      '1.0.0-beta',
      '1.0.0-beta.2',
      '1.0.0-beta.11',
      '1.0.0-rc.1',
      '1.0.0 = 1.0.0+build.5',
      '1.0.1',
      '1.10.0',
      '2.0.0',
    ],
  ],
  'Go, with versions made of commits': [
    'Go',
    [
      'v0.0.0-20190308221718-c2843e01d9a2',
      'v0.0.0-20200220183623-bac4c82f6975',
      'v0.1.0',
      'v1.0.0-pre',
      '1.0.0 = v1.0.0',
      'v2.0.0+incompatible',
    ],
  ],
  'PEP 440, the example of its summary': [
    'PyPI',
    [
      '1.dev0',
      '1.0.dev456',
      '1.0a1',
      '1.0a2.dev456',
      '1.0a12.dev456',
      '1.0a12',
      '1.0b1.dev456',
      '1.0b2',
      '1.0b2.post345.dev456',
      '1.0b2.post345',
      '1.0rc1.dev456',
      '1.0rc1',
      '1.0 = 1.0.0 = v1',
      '1.0+abc.5',
      '1.0+abc.7',
      '1.0+5',
      '1.0.post456.dev34',
      '1.0.post456 = 1.0-456',
      '1.0.15',
      '1.1.dev1',
      '1!0.5',
    ],
  ],
  'Maven, its specification': [
    'Maven',
    [
      '1-alpha-1 = 1-a1',
      '1-beta',
      '1-milestone',
      '1-rc = 1-cr',
      '1-snapshot',
      '1 = 1.0 = 1.0.0 = 1-ga = 1-final = 1.ga',
      '1-sp',
      '1-jre',
      '1-1',
      '1.0.1',
      '1.2',
      '1.10',
    ],
  ],
  'Maven, versions in use': [
    'Maven',
    [
      '2.0-beta9',
      '2.0-rc1',
      '2.0',
      '2.9.10.7',

      '2.10.0',
      '2.14.1',
      '2.15.0',
      '5.3.17.RELEASE = 5.3.17',
      '5.3.18',
      '31.0-android',
      '31.1-jre',
    ],
  ],
  gems: [
    'RubyGems',
    ['1.0.a.2', '1.0.b1', '1.0.pre', '1.0.rc1', '1.0 = 1.0.0', '1.0.1', '1.9.3', '1.10.0', '2.0.0-rc1', '2.0.0'],
  ],
  Composer: [
    'Packagist',
    [
      '1.0.0-dev',
      '1.0.0-alpha1',
      '1.0.0-beta2',
      '1.0.0-RC1',
      '1.0.0 = v1.0 = 1.0.0.0',
      '1.0.0-p1',
      '1.0.1',
      'v4.4.13',
      '4.10',
    ],
  ],
  'NuGet, with four numbers and any case': [
    'NuGet',
    [
      '1.0.0-Alpha = 1.0.0-alpha',
      '1.0.0-beta.2',
      '1.0.0-beta.11',
      '1.0 = 1.0.0 = 1.0.0.0',
      '1.0.0.1',
      '1.0.1',
      '13.0.1',
    ],
  ],
  'Dart, where a build comes after none': [
    'Pub',
    ['1.0.0-dev.1', '1.0.0', '1.0.0+1', '1.0.0+2', '1.0.0+10', '1.0.0+hotfix', '1.0.1-pre', '1.0.1'],
  ],
  'Elixir and Swift are semantic': ['Hex', ['1.0.0-rc.1', '1.0.0', '1.7.14', '1.10.0']],
}

describe('the order of versions', () => {
  for (const [title, [ecosystem, list]] of Object.entries(ascending)) {
    test(title, () => {
      const groups = list.map((each) => each.split(' = '))
      const wrong: string[] = []
      for (const [at, group] of groups.entries()) {
        for (const one of group) {
          for (const same of group) if (compareVersions(ecosystem, one, same) !== 0) wrong.push(`${one} is not ${same}`)
          for (const later of groups.slice(at + 1).flat()) {
            if (compareVersions(ecosystem, one, later) !== -1) wrong.push(`${one} does not come before ${later}`)
            if (compareVersions(ecosystem, later, one) !== 1) wrong.push(`${later} does not come after ${one}`)
          }
        }
      }

      expect(wrong).toEqual([])
    })
  }

  test('What is no version has no order', () => {
    expect(compareVersions('npm', 'latest', '1.0.0')).toBeNull()
    expect(compareVersions('PyPI', '1.0', 'any')).toBeNull()
    expect(compareVersions('RubyGems', '', '1.0')).toBeNull()
    expect(compareVersions('Packagist', 'dev-main', '1.0')).toBeNull()
    expect(compareVersions('Pub', 'any', '1.0.0')).toBeNull()
    expect(compareVersions('NuGet', '1.0.*', '1.0')).toBeNull()
  })
})
