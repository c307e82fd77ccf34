// Uploads of forms: those that only their first bytes guard, and those that are written where their names lead.

import { expect, test } from 'vitest'
import { findingsOf, type Handler, places } from './tiny.ts'

const FORM = '<form action=/picture method=post enctype=multipart/form-data><input type=file name=picture></form>'

type Upload = { name: string; content: string }

/** Keeps what is uploaded under the path that `pathOf` gives it, and hands it out; what that refuses is not kept. */
function album(pathOf: (upload: Upload) => string | null): Handler {
  const kept = new Map<string, string>()
  return ({ method, path, body }) => {
    if (path === '/') return [200, FORM]
    if (method === 'POST') {
      const [, name = '', content = ''] = /filename="([^"]+)"[\s\S]*?\r\n\r\n([\s\S]*?)\r\n--/.exec(String(body)) ?? []
      const place = pathOf({ name, content })
      if (place !== null) kept.set(place, content)
      return [200, place === null ? '<p>No picture</p>' : '<p>Kept</p>']
    }
    const content = kept.get(path)
    return content === undefined
      ? [404, '<p>None</p>']
      : [200, content, { 'content-type': path.endsWith('.html') ? 'text/html' : 'text/plain' }]
  }
}

const found = async (handle: Handler, check: string) =>
  places(await findingsOf(handle, [check], {}, { schema: null, crawl: true, identities: [], profile: 'DEEP' }))

const isPicture = ({ content }: Upload) => content.startsWith('GIF89a')

test('an upload that looks at the first bytes alone is found', async () => {
  const service = album((upload) => (isPicture(upload) ? `/uploads/${upload.name}` : null))

  expect(await found(service, 'unrestricted-upload')).toEqual(['POST /picture#picture'])
})

test('one that gives what it keeps the ending of a picture is not', async () => {
  const service = album((upload) => (isPicture(upload) ? `/uploads/${upload.name}.gif` : null))

  expect(await found(service, 'unrestricted-upload')).toEqual([])
})

test('a file that is written where its name leads is found', async () => {
  const service = album(({ name }) => new URL(name, 'http://x/uploads/').pathname)

  expect(await found(service, 'upload-path')).toEqual(['POST /picture#picture'])
})

test('one of which the last part of the name is taken is not', async () => {
  const service = album(({ name }) => `/uploads/${name.split('/').at(-1)}`)

  expect(await found(service, 'upload-path')).toEqual([])
})

test('the folder that each upload is told to be in is one finding, whatever the files are named', async () => {
  const service: Handler = ({ method, path, body }) => {
    if (path === '/') return [200, FORM]
    const name = /filename="([^"]+)"/.exec(String(body))?.[1] ?? ''
    return method === 'POST' ? [200, { stored: `/srv/app/album/uploads/${name}` }] : [404, '<p>None</p>']
  }

  const findings = await findingsOf(
    service,
    ['full-path', 'unrestricted-upload', 'upload-path'],
    {},
    { schema: null, crawl: true, identities: [], profile: 'DEEP' },
  )

  expect(findings.map(({ check }) => check)).toEqual(['full-path'])
})
