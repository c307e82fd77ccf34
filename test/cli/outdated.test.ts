// A server started from a clone whose packages are older than its lockfile, as after a pull.

import { spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'

type Packages = Record<string, { version: string; optional?: true; dev?: true }>

/** A clone whose command line only says that it runs; without `installed`, npm recorded nothing. */
function newClone(wanted: Packages, installed?: Packages): string {
  const clone = mkdtempSync(join(tmpdir(), 'merlon-clone-'))
  onTestFinished(() => rmSync(clone, { recursive: true, force: true }))
  cpSync('bin', join(clone, 'bin'), { recursive: true })
  for (const directory of ['node_modules', 'src/cli']) mkdirSync(join(clone, directory), { recursive: true })
  writeFileSync(join(clone, 'src/cli/main.ts'), `console.log('It runs')`)
  writeFileSync(join(clone, 'package-lock.json'), JSON.stringify({ packages: { '': { version: '0.1.0' }, ...wanted } }))
  const record = join(clone, 'node_modules/.package-lock.json')
  if (installed) writeFileSync(record, JSON.stringify({ packages: installed }))
  return clone
}

function started(clone: string, command: string) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [join(clone, 'bin/merlon.mjs'), command], {
    encoding: 'utf8',
  })
  return { code: status, out: stdout.trim(), err: stderr.trim() }
}

const runs = { code: 0, out: 'It runs', err: '' }

test.each<[string, Packages]>([
  ['a package', { 'node_modules/pg': { version: '8.0.0' } }],
  ['a package for development, such as Node', { 'node_modules/pg': { version: '8.0.0', dev: true } }],
  ['an optional package', { 'node_modules/pg': { version: '8.0.0', optional: true } }],
])('merlon serve and merlon worker say what to run if another version of %s is installed', (_, wanted) => {
  const clone = newClone(wanted, { 'node_modules/pg': { version: '7.0.0' } })

  const servers = ['serve', 'worker'].map((command) => started(clone, command))

  const err = `The dependencies of ${clone} are older than its package-lock.json: run "npm ci" there, and start again.`
  for (const server of servers) expect(server).toMatchObject({ code: 1, err })
})

test('merlon serve says so if a package is missing', () => {
  const clone = newClone({ 'node_modules/pg': { version: '8.0.0' } }, {})

  expect(started(clone, 'serve')).toMatchObject({ code: 1, err: expect.stringContaining('run "npm ci" there') })
})

test.each<[string, Packages, Packages | undefined]>([
  ['all are installed', { 'node_modules/pg': { version: '8.0.0' } }, { 'node_modules/pg': { version: '8.0.0' } }],
  ['only those for development are missing', { 'node_modules/vitest': { version: '4.0.0', dev: true } }, {}],
  ['only those of other machines are missing', { 'node_modules/pg-win': { version: '4.0.0', optional: true } }, {}],
  ['npm did not install them', { 'node_modules/pg': { version: '8.0.0' } }, undefined],
])('merlon serve starts if %s', (_, wanted, installed) => {
  expect(started(newClone(wanted, installed), 'serve')).toEqual(runs)
})

test('a command that is no server does not look', () => {
  expect(started(newClone({ 'node_modules/pg': { version: '8.0.0' } }, {}), 'issues')).toEqual(runs)
})
