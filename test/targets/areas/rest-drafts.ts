// Drafts over REST: texts that are kept as files, beside the folder of what is handed out.
import { readFileSync, writeFileSync } from 'node:fs'
import { basename, join, resolve, sep } from 'node:path'
import { type Area, json, object, plain, Refusal, string, text } from '../route.ts'

export const drafts: Area = {
  flaws: [
    {
      id: 'draft-anywhere',
      cwe: 22,
      operation: 'POST /api/drafts',
      parameter: 'filename',
      shows: 'a file is written where the server hands files out',
    },
  ],
  routes: [
    {
      method: 'POST',
      path: '/api/drafts',
      access: 'user',
      spec: {
        summary: 'Keeps a draft',
        body: object({ filename: string('letter.txt'), content: string('Dear all') }, ['filename', 'content']),
        answer: object({ kept: { type: 'boolean' } }),
      },
      handle: ({ on, state, body }) => {
        const name = text(body.filename).replaceAll('\0', '')
        const home = resolve(state.folder, '..')
        const path = resolve(state.folder, on('draft-anywhere') ? name : `draft-${basename(name)}`)
        if (!path.startsWith(home + sep)) throw new Refusal(400, 'This cannot be kept')
        try {
          writeFileSync(path, text(body.content).slice(0, 10_000))
        } catch {
          throw new Refusal(400, 'This cannot be kept')
        }
        return json({ kept: true }, 201)
      },
    },
    {
      method: 'GET',
      path: '/static/{name}',
      handle: ({ state, params }) => {
        try {
          return plain(readFileSync(join(state.folder, '..', 'static', basename(params.name ?? '')), 'utf8'))
        } catch {
          throw new Refusal(404, 'There is no such file')
        }
      },
    },
  ],
}
