// Third-party packages: each is the locked version, has a licence that was reviewed, and runs no install script unasked.

import { readdirSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { sources } from './files.ts'

type Package = {
  version?: string
  license?: string
  integrity?: string
  link?: boolean
  hasInstallScript?: boolean
}

type Manifest = Record<'dependencies' | 'optionalDependencies' | 'devDependencies', Record<string, string>> & {
  allowScripts: Record<string, boolean>
}

const read = <T>(path: string): T => JSON.parse(readFileSync(path, 'utf8')) as T
const manifest = read<Manifest>('package.json')
const lock = read<{ packages: Record<string, Package> }>('package-lock.json')
const packages = Object.entries(lock.packages).filter(([path]) => path !== '')

/** Licences that require no more than their own text to be distributed along. */
const permissive = new Set([
  '0BSD',
  'Apache-2.0',
  'BlueOak-1.0.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'ISC',
  'MIT',
  'MIT OR Apache-2.0',
  'MIT-0',
  'PSF-2.0',
  'Python-2.0',
])

/**
 * Packages under another licence: tools that are not distributed, and fonts, which may be distributed with what
 * displays them.
 */
const others: readonly { name: RegExp; license: string }[] = [
  { name: /^axe-core$/, license: 'MPL-2.0' },
  { name: /^lightningcss(-[\w-]+)?$/, license: 'MPL-2.0' },
  { name: /^@fontsource-variable\/(inter|jetbrains-mono)$/, license: 'OFL-1.1' },
]

const nameOf = (path: string): string => path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length)

test('every package is under a licence that was read', () => {
  const unread = packages
    .filter(([, { license = '' }]) => !permissive.has(license))
    .filter(([path, { license }]) => !others.some((one) => one.license === license && one.name.test(nameOf(path))))
    .map(([path, { license }]) => `${path}: ${license}`)

  expect(packages.length).toBeGreaterThan(100)
  expect(unread).toEqual([])
})

test('every package is locked by the hash of its bytes, and is none from a directory or a repository', () => {
  const open = packages.filter(([, { integrity = '', link }]) => link || !/^sha512-[\w+/]{86}==$/.test(integrity))

  expect(open.map(([path]) => path)).toEqual([])
})

/** The service does without it where it is not installed: scans then follow pages without a browser. */
const DONE_WITHOUT = 'playwright-core'

test('what the service imports is installed with it, and not only for development', () => {
  const named = /(?:\bfrom |\bimport |\bimport\(|\.resolve\()'((?:@[\w.-]+\/)?[a-z][\w.-]*)(?:\/[^']*)?'/g
  const installed = new Set([...Object.keys(manifest.dependencies), ...Object.keys(manifest.optionalDependencies)])
  const imported = sources()
    .filter((path) => /^(src|bin)\//.test(path) && !path.includes('.test.'))
    .flatMap((path) => [...readFileSync(path, 'utf8').matchAll(named)].map(([, name = '']) => ({ path, name })))
    .filter(({ name }) => lock.packages[`node_modules/${name}`] !== undefined && name !== DONE_WITHOUT)

  expect(imported.length).toBeGreaterThan(200)
  expect(imported.filter(({ name }) => !installed.has(name)).map(({ path, name }) => `${path}: ${name}`)).toEqual([])
})

test('every dependency is named in one exact version, which is the one locked', () => {
  const named = [manifest.dependencies, manifest.optionalDependencies, manifest.devDependencies]
  const loose = named.flatMap((dependencies) =>
    Object.entries(dependencies)
      .map(([name, wanted]) => ({ name, wanted: wanted.replace(/^npm:.+@/, '') }))
      .filter(({ name, wanted }) => lock.packages[`node_modules/${name}`]?.version !== wanted)
      .map(({ name, wanted }) => `${name}: ${wanted}`),
  )

  expect(loose).toEqual([])
})

test('of each package that would run something when it is installed it is decided whether it may', () => {
  const undecided = packages
    .filter(([path, { hasInstallScript }]) => hasInstallScript && !(nameOf(path) in manifest.allowScripts))
    .map(([path]) => path)

  expect(undecided).toEqual([])
})

test('no command that is shown to anybody has a registry asked for a package of our name', () => {
  const shown = [
    ...sources(),
    ...readdirSync('docs', { recursive: true, encoding: 'utf8' }).map((path) => `docs/${path}`),
    'README.md',
  ]
  const asking = shown.filter(
    (path) => /\.(ts|tsx|mjs|md)$/.test(path) && /\bnpx merlon\b/.test(readFileSync(path, 'utf8')),
  )

  expect(asking.filter((path) => path !== 'test/repo/packages.test.ts')).toEqual([])
})
