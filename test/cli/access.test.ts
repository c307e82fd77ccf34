// What the command line says of addresses, keys, and deletions that cannot be undone.

import { once } from 'node:events'
import { existsSync, mkdirSync, mkdtempSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createServer as createTlsServer } from 'node:tls'
import { describe, expect, onTestFinished, test } from 'vitest'
import { serviceUrl } from '../testkit/service.ts'
import { newAsset, newWorld } from '../testkit/world.ts'
import { merlon, merlonJson } from './command.ts'

const temporary = () => mkdtempSync(join(tmpdir(), 'merlon-access-'))

describe('a key that is not valid', () => {
  test('is called by where it came from, and with the address that refused it', async () => {
    const url = await serviceUrl()
    const home = temporary()
    mkdirSync(join(home, 'merlon'))
    writeFileSync(join(home, 'merlon', 'credentials.json'), JSON.stringify({ url, key: 'mrl_old' }))

    const environment = { MERLON_URL: url }
    const ofSetting = await merlon(['company', 'list'], { key: 'mrl_wrong', environment })
    const download = await merlon(['attachment', 'get', '1', join(home, 'x')], { key: 'mrl_wrong', environment })
    const kept = await merlon(['company', 'list'], { environment: { ...environment, XDG_CONFIG_HOME: home } })
    const given = await merlon(['login', '--key', 'mrl_wrong'], { environment })

    expect([ofSetting, download, kept, given].map(({ code }) => code)).toEqual([1, 1, 1, 1])
    const why = 'it is mistyped, revoked or expired; ask for a new one (merlon keys create)'
    expect(ofSetting.err).toBe(`The key of MERLON_API_KEY is not valid at ${url}: ${why}\n`)
    expect(download.err).toBe(ofSetting.err)
    expect(kept.err).toBe(`The key that merlon login stored is not valid at ${url}: ${why}\n`)
    expect(given.err).toBe(`The key is not valid at ${url}: ${why}\n`)
  })
})

test('a key that login kept goes to no other address than its own', async () => {
  const home = temporary()
  mkdirSync(join(home, 'merlon'))
  const kept = { url: 'https://merlon.example.test/graphql', key: 'mrl_kept' }
  writeFileSync(join(home, 'merlon', 'credentials.json'), JSON.stringify(kept))

  const ended = await merlon(['company', 'list'], { environment: { XDG_CONFIG_HOME: home } })

  expect(ended.code).toBe(2)
  expect(ended.err).toMatch(
    /^The key that merlon login stored is for https:\/\/merlon\.example\.test and is not sent to /,
  )
})

test('an http address whose server speaks https, and the other way round, is reported as such', async () => {
  const secure = createTlsServer({}).listen(0, '127.0.0.1')
  onTestFinished(() => void secure.close())
  await once(secure, 'listening')
  const ofSecure = `http://127.0.0.1:${(secure.address() as AddressInfo).port}`
  const ofPlain = (await serviceUrl()).replace('http:', 'https:')

  const plain = await merlon(['company', 'list'], { key: 'any', environment: { MERLON_URL: ofPlain } })
  const tls = await merlon(['company', 'list'], { key: 'any', environment: { MERLON_URL: ofSecure } })

  expect(plain).toMatchObject({ code: 3, err: expect.stringContaining('is it http rather than https?') })
  expect(tls).toMatchObject({ code: 3, err: expect.stringContaining('is it https rather than http?') })
})

test.each(['/', '/graphql', '/graphql/'])('the address may end in %s', async (ending) => {
  const { owner, companyId } = await newWorld()
  const MERLON_URL = `${await serviceUrl()}${ending}`

  const listed = await merlonJson(['company', 'list'], { key: owner.key, environment: { MERLON_URL } })

  expect(listed).toMatchObject([{ id: companyId }])
})

test('where nobody says which company or asset is meant, those that there are get named', async () => {
  const { owner, companyId } = await newWorld()
  for (let n = 1; n <= 12; n += 1) await newAsset(owner.key, companyId)

  const { code, err } = await merlon(['deploy', 'list'], { key: owner.key })

  expect(code).toBe(2)
  expect(err).toMatch(
    /^There is more than one asset: say which with --asset and its id: (\d+ \([^)]+\)(, )?){10} and 2 more\n$/,
  )
})

test('an asset goes without a question only with --yes where nobody can be asked', async () => {
  const { owner, companyId } = await newWorld()
  const asset = await newAsset(owner.key, companyId)

  const unasked = await merlon(['asset', 'delete', asset.id], { key: owner.key, input: 'y\n' })
  const before = await merlonJson(['asset', 'list'], { key: owner.key })
  const deleted = await merlon(['asset', 'delete', asset.id, '--yes'], { key: owner.key })
  const after = await merlonJson(['asset', 'list'], { key: owner.key })

  expect(unasked).toMatchObject({ code: 2, out: '' })
  expect(unasked.err).toMatch(/^Delete asset \d+ with all its findings and deploys\? .*give --yes\n$/)
  expect(before).toHaveLength(1)
  expect(deleted.code).toBe(0)
  expect(after).toEqual([])
})

test('a first start on a taken port leaves nothing behind, and says what to set', async () => {
  const holder = createServer()
  await new Promise<void>((resolve) => holder.listen(0, '127.0.0.1', resolve))
  const PORT = String((holder.address() as AddressInfo).port)
  const data = join(temporary(), 'data')

  const ended = await merlon(['serve'], {
    environment: { PORT, HOST: '127.0.0.1', MERLON_DATA: data, LOG_LEVEL: 'warn' },
  })
  holder.close()

  expect(ended.code).toBe(1)
  expect(ended.err).toMatch(/^Port \d+ of 127\.0\.0\.1 is taken \(EADDRINUSE\): set PORT to another one, .*\n$/)
  expect(existsSync(data)).toBe(false)
})
