// Flaws that show only by a call: told by a token that nobody can guess, and by what only running the value makes.

import { expect, onTestFinished, test } from 'vitest'
import { scan } from '../../src/scanner/engine.ts'
import { ways } from '../operations/scan.ts'
import { launch } from '../targets/launch.ts'
import { findingsOf, type Handler } from './tiny.ts'

test('a flaw that shows only by a call is found by the token that nobody can guess', async () => {
  const calling: Handler = async ({ query }) => {
    const url = query.get('image') ?? ''
    if (url.startsWith('http://127.0.0.1:')) await fetch(url).catch(() => null)
    return [202, {}]
  }

  const found = await findingsOf(
    calling,
    ['request-forgery'],
    { 'GET /thumbnail': { query: { image: 'x' } } },
    { identities: [], listener: { host: '127.0.0.1', ports: [0, 0] } },
  )

  expect(found.map(({ check, parameter }) => [check, parameter?.name])).toEqual([['request-forgery', 'image']])
})

test('an expression that runs where nothing of it is shown is found by a call that only running it makes', async () => {
  const calling =
    (reads: RegExp, behind: string): Handler =>
    async ({ query }) => {
      const parts = reads.exec(query.get('content') ?? '')?.slice(1) ?? []
      if (parts.length > 0) await fetch(parts.join('') + behind).catch(() => null)
      return [202, {}]
    }
  const scanned = (reads: RegExp, behind = '') =>
    findingsOf(
      calling(reads, behind),
      ['unsafe-deserialisation'],
      { 'GET /rules': { query: { content: 'x' } } },
      { identities: [], listener: { host: '127.0.0.1', ports: [0, 0] } },
    )

  const code = await scanned(/^new java\.net\.URL\("(.+)" \.concat\("(\w+)"\)\)\.openStream\(\)$/)
  const objects = await scanned(
    /^!!javax\.script\.ScriptEngineManager .+"(http:[^"]+)"/,
    'META-INF/services/javax.script.ScriptEngineFactory',
  )
  const links = [
    ...(await scanned(/java\.net\.URL(?:\(| \[)"(http:[^"]+)"/)),
    ...(await scanned(/java\.net\.URL(?:\(| \[)"(http:\S+)/)),
  ]

  expect(code.map(({ cwes, title }) => [cwes[0], title])).toEqual([[94, 'Code injection']])
  expect(objects.map(({ cwes }) => cwes[0])).toEqual([502])
  expect(links).toEqual([])
})

test('code that runs where nothing of it is shown is found by a call whose address only running it puts together', async () => {
  const listening = { identities: [], listener: { host: '127.0.0.1', ports: [0, 0] as [number, number] } }
  const scanned = (service: Handler) =>
    findingsOf(service, ['silent-code-injection'], { 'GET /rules': { query: { rule: 'x' } } }, listening)
  const running: Handler = async ({ query }) => {
    const [, first, second] =
      /^\(globalThis\.process&&fetch\('([^']+)'\+'(\w+)'\)\.catch\(String\)\)$/.exec(query.get('rule') ?? '') ?? []
    if (first) await fetch(`${first}${second}`).catch(() => null)
    return [202, {}]
  }
  const following: Handler = async ({ query }) => {
    for (const address of (query.get('rule') ?? '').match(/http:[^'"\s]+/g) ?? [])
      await fetch(address).catch(() => null)
    return [202, {}]
  }

  expect((await scanned(running)).map(({ parameter }) => parameter?.name)).toEqual(['rule'])
  expect(await scanned(following)).toEqual([])
})

test('a target that runs what is sent and cannot reach the address that it is to call stands afterwards', async () => {
  const target = await launch(['import-serialized', 'open:GET /openapi.json'])
  onTestFinished(() => target.stop())
  const options = await ways.find(({ name }) => name === 'OpenAPI')?.options(target)
  if (options === undefined) throw new Error('The trial has no scan by OpenAPI.')

  const { state } = await scan({
    ...options,
    identities: options.identities ?? [],
    target: target.url,
    profile: 'BALANCED',
    checks: ['unsafe-deserialisation'],
    scope: { include: ['/api/baskets/**'] },
    listener: { host: 'nowhere.invalid', ports: [0, 0] },
    browser: false,
  })

  expect(state).toBe('COMPLETED')
  expect((await fetch(target.url)).status).toBe(200)
})
