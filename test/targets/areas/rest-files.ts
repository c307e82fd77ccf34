// Files and addresses over REST: documents read from the folder, pages fetched from elsewhere, uploads kept and shown.
import { readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { fetched } from '../fetched.ts'
import { type Area, json, object, plain, Refusal, string, text } from '../route.ts'

const read = (path: string): string => {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    throw new Refusal(404, 'There is no such document')
  }
}

/** What the node-serialize format does with a value of `_$$ND_FUNC$$_function(){…}()`. */
const revive = (value: unknown): void => {
  if (typeof value !== 'object' || value === null) return
  for (const inner of Object.values(value)) {
    if (typeof inner === 'string' && inner.startsWith('_$$ND_FUNC$$_')) {
      new Function('require', `return (${inner.slice('_$$ND_FUNC$$_'.length)})`)(process.getBuiltinModule)
    } else revive(inner)
  }
}

const parsed = (serialised: string): unknown => {
  try {
    return JSON.parse(serialised)
  } catch {
    throw new Refusal(400, 'This is no basket')
  }
}

const types: Record<string, string> = { html: 'text/html', svg: 'image/svg+xml', txt: 'text/plain', png: 'image/png' }

export const files: Area = {
  flaws: [
    {
      id: 'document-path',
      cwe: 22,
      operation: 'GET /api/documents',
      parameter: 'name',
      shows: 'a path out of the folder is read',
    },
    {
      id: 'guide-path',
      cwe: 22,
      operation: 'GET /api/guides/{name}',
      parameter: 'name',
      shows: 'a path out of the folder is read',
    },
    {
      id: 'theme-remote',
      cwe: 98,
      operation: 'GET /api/theme',
      parameter: 'file',
      shows: 'a file of another host is included',
      needs: 'listener',
    },
    {
      id: 'fetch-inside',
      cwe: 918,
      operation: 'POST /api/previews',
      parameter: 'url',
      shows: 'any address is fetched',
      needs: 'listener',
    },
    {
      id: 'hook-inside',
      cwe: 918,
      operation: 'GET /api/hooks/test',
      parameter: 'callback',
      shows: 'any address is called, and nothing of it answered',
      needs: 'listener',
    },
    {
      id: 'import-serialized',
      cwe: 502,
      operation: 'POST /api/baskets/import',
      parameter: 'basket',
      shows: 'a function in serialised data is run',
      needs: 'listener',
    },
    {
      id: 'upload-any',
      cwe: 434,
      operation: 'POST /api/uploads',
      parameter: 'file',
      shows: 'a page that was uploaded is shown as one',
    },
  ],
  routes: [
    {
      method: 'GET',
      path: '/api/documents',
      spec: { summary: 'A document', query: { name: string('terms.txt') } },
      handle: ({ on, state, query }) => {
        const { name = 'terms.txt' } = query
        return plain(read(join(state.folder, on('document-path') ? name : basename(name))))
      },
    },
    {
      method: 'GET',
      path: '/api/guides/{name}',
      spec: { summary: 'A guide', path: { name: string('guide.txt') } },
      handle: ({ on, state, params }) => {
        const { name = '' } = params
        return plain(read(join(state.folder, on('guide-path') ? name : basename(name))))
      },
    },
    {
      method: 'GET',
      path: '/api/theme',
      spec: { summary: 'A theme', query: { file: string('guide.txt') } },
      handle: async ({ on, state, query }) => {
        const { file = 'guide.txt' } = query
        if (on('theme-remote') && /^https?:/.test(file)) return plain(await fetched(file))
        return plain(read(join(state.folder, basename(file))))
      },
    },
    {
      method: 'POST',
      path: '/api/previews',
      spec: {
        summary: 'What a page looks like',
        body: object({ url: string('https://shop.example/') }, ['url']),
        answer: object({ text: string('') }),
      },
      handle: async ({ on, body }) => {
        const url = text(body.url)
        if (!on('fetch-inside') && !url.startsWith('https://shop.example/')) throw new Refusal(400, 'Not of this shop')
        return json({ text: await fetched(url) })
      },
    },
    {
      method: 'GET',
      path: '/api/hooks/test',
      spec: {
        summary: 'Calls an address',
        query: { callback: string('https://shop.example/hook') },
        answer: object({ called: string('yes') }),
      },
      handle: async ({ on, query }) => {
        const { callback = '' } = query
        if (on('hook-inside')) await fetched(callback).catch(() => undefined)
        return json({ called: 'yes' })
      },
    },
    {
      method: 'POST',
      path: '/api/baskets/import',
      spec: {
        summary: 'Takes a basket that was exported',
        body: object({ basket: string('{"item":"teapot"}') }, ['basket']),
        answer: object({ imported: string('yes') }),
      },
      handle: ({ on, body }) => {
        if (on('import-serialized')) revive(parsed(text(body.basket)))
        return json({ imported: 'yes' })
      },
    },
    {
      method: 'POST',
      path: '/api/uploads',
      spec: {
        summary: 'Keeps a picture',
        bodyType: 'multipart/form-data',
        body: object({ file: { type: 'string', format: 'binary' } }, ['file']),
        answer: object({ url: string('/uploads/a.png') }),
      },
      handle: ({ on, state, body }) => {
        const { file } = body
        const filename = typeof file === 'object' && file !== null && 'filename' in file ? text(file.filename) : ''
        const content = typeof file === 'object' && file !== null && 'content' in file ? file.content : undefined
        if (!Buffer.isBuffer(content)) throw new Refusal(400, 'There is no file')
        if (!on('upload-any') && !/\.(png|txt)$/.test(filename)) throw new Refusal(415, 'Pictures and texts only')
        const name = basename(filename)
        state.uploads.set(name, content)
        return json({ url: `/uploads/${name}` }, 201)
      },
    },
    {
      method: 'GET',
      path: '/uploads/{name}',
      handle: ({ on, state, params }) => {
        const content = state.uploads.get(params.name ?? '')
        if (content === undefined) throw new Refusal(404, 'There is no such file')
        const type = on('upload-any') ? types[(params.name ?? '').split('.').at(-1) ?? ''] : undefined
        return { headers: { 'content-type': type ?? 'application/octet-stream' }, body: content }
      },
    },
  ],
}
