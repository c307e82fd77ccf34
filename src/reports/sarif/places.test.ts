// How SARIF's places are read: paths from the root of the repository, and addresses on the web.

import { describe, expect, test } from 'vitest'
import { rowsIn } from '../../../test/reports/reading.ts'
import { log, one, place, run } from '../../../test/reports/sarif.ts'
import { sarif } from './reader.ts'

describe('its place', () => {
  const bases = {
    '%SRCROOT%': { uri: 'file:///work/checkout/' },
    SUB: { uri: 'packages/one/', uriBaseId: '%SRCROOT%' },
    ROOT: { uri: 'file:///' },
  }

  test.each([
    ['src/a%20b.ts', {}, 'src/a b.ts'],
    ['./src/../a.ts', {}, 'a.ts'],
    ['src\\win\\a.ts', {}, 'src/win/a.ts'],
    ['%SRCROOT%/src/a.ts', {}, 'src/a.ts'],
    ['src/100%.ts', {}, 'src/100%.ts'],
    ['a.ts', { uriBaseId: '%SRCROOT%' }, 'a.ts'],
    ['a.ts', { uriBaseId: 'SUB' }, 'packages/one/a.ts'],
    ['a.ts', { uriBaseId: 'ROOT' }, 'a.ts'],
    ['a.ts', { uriBaseId: 'UNKNOWN' }, 'a.ts'],
    ['file:///work/checkout/src/a.ts', {}, 'src/a.ts'],
    ['file:///github/workspace/src/a.ts', {}, 'src/a.ts'],
    ['file:///home/runner/work/app/app/src/a.ts', {}, 'src/a.ts'],
    ['file:///D:/a/app/app/src/a.ts', {}, 'src/a.ts'],
    ['/__w/app/app/src/a.ts', {}, 'src/a.ts'],
    ['/__w/1/s/src/a.ts', {}, 'src/a.ts'],
    ['C:\\agent\\_work\\1\\s\\src\\a.ts', {}, 'src/a.ts'],
    ['/opt/actions-runner/_work/app/app/src/a.ts', {}, 'src/a.ts'],
    ['src/_work/1/s/a.ts', {}, 'src/_work/1/s/a.ts'],
    ['file:///home/someone/else/a.ts', {}, '/home/someone/else/a.ts'],
    ['file:///src/a.ts', {}, 'src/a.ts'],
  ])('%s (%o) is %s', async (uri, more, fileName) => {
    const report = log(run({ locations: [place(uri, 3, more)] }, {}, { originalUriBaseIds: bases }))

    const observation = await one(report)

    expect(observation.fileName).toBe(fileName)
  })

  test.each([
    ['C:/src/', 'C:/src/a.ts', undefined],
    ['C:\\src\\', 'file:///c:/src/a.ts', undefined],
    ['C:/src', 'a.ts', 'ROOT'],
    ['C:/src/', 'C:\\src\\a.ts', 'ROOT'],
  ])('below a base %s, as people write a drive, of %s (base %s) is a.ts', async (base, uri, uriBaseId) => {
    const report = log(
      run({ locations: [place(uri, 3, { uriBaseId })] }, {}, { originalUriBaseIds: { ROOT: { uri: base } } }),
    )

    const observation = await one(report)

    expect(observation.fileName).toBe('a.ts')
  })

  test('is one of an image where the run is of one, and so is that of a file which was not seen', async () => {
    const unseen = [{ toolExecutionNotifications: [{ level: 'error', locations: [place('app/b.ts')] }] }]
    const ofImage = { properties: { imageName: 'shop:1.2' }, invocations: unseen }

    const rows = await rowsIn(sarif, log(run({ locations: [place('app/a.ts')] }, {}, ofImage)))

    expect(rows).toMatchObject([
      { kind: 'UNSEEN_FILE', fileName: 'app/b.ts', image: 'shop:1.2' },
      { observation: { fileName: 'app/a.ts', image: 'shop:1.2' } },
    ])
  })

  test('is that of the artifact which it names by index', async () => {
    const artifacts = [{ location: { uri: 'zero.ts' } }, { location: { uri: 'one.ts', uriBaseId: 'SUB' } }]
    const location = { physicalLocation: { artifactLocation: { index: 1 } } }

    const observation = await one(log(run({ locations: [location] }, {}, { artifacts, originalUriBaseIds: bases })))

    expect(observation.fileName).toBe('packages/one/one.ts')
  })

  test('may be named alone, without a file', async () => {
    const location = { logicalLocations: [{ index: 0 }] }

    const observation = await one(
      log(run({ locations: [location] }, {}, { logicalLocations: [{ fullyQualifiedName: 'app.Main.run' }] })),
    )

    expect(observation.description).toContain('At app.Main.run')
    expect(observation.fileName).toBe('app.Main.run')
  })

  test('on the web makes it an exchange, with what was sent and what came back', async () => {
    const report = log(
      run(
        {
          locations: [place('https://shop.example:8443/cart?id=1')],
          webRequest: {
            index: 0,
            method: 'post',
            headers: { Accept: '*/*' },
            parameters: { id: '1' },
            body: { text: 'a=b' },
          },
          webResponse: {
            statusCode: 500,
            reasonPhrase: 'Oops',
            version: '1.1',
            protocol: 'http',
            body: { text: 'trace' },
          },
        },
        {},
        { webRequests: [{ protocol: 'http', version: '2' }] },
      ),
    )

    const observation = await one(report)

    expect(observation).toMatchObject({
      kind: 'EXCHANGE',
      type: 'DAST_FINDING',
      url: 'https://shop.example:8443/cart?id=1',
      method: 'POST',
      scheme: 'https',
      port: 8443,
      parameters: 'id=1',
      request: 'POST https://shop.example:8443/cart?id=1 HTTP/2\nAccept: */*\n\na=b',
      response: 'HTTP/1.1 500 Oops\n\ntrace',
    })
  })
})
