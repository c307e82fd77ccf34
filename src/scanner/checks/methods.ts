// Checks for methods that a server should not support: TRACE, which echoes the request, and PUT, which writes files.

import type { TargetCheck } from '../check.ts'
import { quietly } from '../probing.ts'

export const traceMethod: TargetCheck = {
  kind: 'target',
  id: 'trace-method',
  title: 'TRACE method enabled',
  cwes: [749, 693],
  severity: 'LOW',
  solution: 'Turn TRACE and TRACK off.',
  profile: 'BASIC',
  async *probe(context) {
    const word = context.word()
    for (const method of ['TRACE', 'TRACK']) {
      const headers = [
        ['Host', context.target.host],
        [`X-${word}`, word],
      ] as const
      const exchange = await quietly(context.send({ method, url: context.target.href, headers, body: null }))
      if (exchange?.answer.status !== 200 || !new RegExp(`x-${word}: ?${word}`, 'i').test(exchange.text)) continue
      yield {
        detail: `${method} returns the headers of the request.`,
        proof: [word],
        exchange,
        cause: context.target.origin,
      }
      return
    }
  },
}

export const putMethod: TargetCheck = {
  kind: 'target',
  id: 'put-method',
  title: 'File upload by the PUT method',
  cwes: [434, 749],
  severity: 'HIGH',
  solution: 'Turn PUT off where files are served.',
  profile: 'DEEP',
  async *probe(context) {
    const [name, content] = [context.word(), context.word()]
    for (const folder of ['/', '/uploads/', '/files/', '/webdav/']) {
      const url = `${context.target.origin}${folder}${name}.txt`
      const host = ['Host', context.target.host] as const
      const put = await quietly(
        context.send({
          method: 'PUT',
          url,
          headers: [host, ['Content-Type', 'text/plain'], ['Content-Length', String(content.length)]],
          body: content,
        }),
      )
      if (!put || put.answer.status >= 300) continue
      const got = await quietly(context.send({ method: 'GET', url, headers: [host], body: null }))
      if (got?.answer.status !== 200 || got.text.trim() !== content) continue
      await quietly(context.send({ method: 'DELETE', url, headers: [host], body: null }))
      yield {
        detail: `PUT ${folder}${name}.txt wrote a file that GET returned.`,
        proof: [content],
        exchange: got,
        cause: `${context.target.origin}${folder}`,
      }
      return
    }
  },
}
