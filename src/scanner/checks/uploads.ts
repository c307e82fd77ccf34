// Checks for uploads that are served in an executable form: as a program of the server, or as a page with scripts.

import type { Context, PointCheck } from '../check.ts'
import { headerOf, mediaTypeOf } from '../http.ts'
import { quietly } from '../probing.ts'
import { get } from '../requests.ts'
import type { Exchange, Operation } from '../types.ts'

type Kind = {
  extension: string
  mediaType: string
  content: (left: number, right: number, word: string) => string
  isRun: (exchange: Exchange, sum: string, word: string) => string | null
}

const page: Kind['isRun'] = (exchange, _, word) =>
  exchange.text.includes(`<script>/*${word}*/`) &&
  /html|svg/.test(mediaTypeOf(exchange.answer)) &&
  !/attachment/i.test(headerOf(exchange.answer, 'content-disposition'))
    ? `<script>/*${word}*/`
    : null
const program: Kind['isRun'] = ({ text }, sum) => (text.includes(sum) ? sum : null)
const php = (left: number, right: number) => `<?php echo ${left}+${right}; ?>`
const html: Kind['content'] = (_left, _right, word) => `<html><script>/*${word}*/</script></html>`

/** A GIF of one pixel as far as its header goes: what looks at the first bytes alone takes what follows for a picture. */
const GIF = 'GIF89a\x01\x00\x01\x00\x00\x00\x00'

const kinds: readonly Kind[] = [
  { extension: '.php', mediaType: 'application/x-php', content: php, isRun: program },
  { extension: '.php', mediaType: 'image/png', content: php, isRun: program },
  { extension: '.phtml', mediaType: 'image/jpeg', content: php, isRun: program },
  { extension: '.jsp', mediaType: 'text/plain', content: (left, right) => `<%= ${left}+${right} %>`, isRun: program },
  {
    extension: '.html',
    mediaType: 'text/html',
    content: html,
    isRun: page,
  },
  {
    extension: '.svg',
    mediaType: 'image/svg+xml',
    content: (_l, _r, word) => `<svg xmlns="http://www.w3.org/2000/svg"><script>/*${word}*/</script></svg>`,
    isRun: page,
  },
  {
    extension: '.html',
    mediaType: 'image/png',
    content: html,
    isRun: page,
  },
  { extension: '.php', mediaType: 'image/gif', content: (left, right) => GIF + php(left, right), isRun: program },
  { extension: '.html', mediaType: 'image/gif', content: (...parts) => GIF + html(...parts), isRun: page },
]

export const uploads: PointCheck = {
  kind: 'point',
  id: 'unrestricted-upload',
  title: 'Unrestricted file upload',
  cwes: [434],
  severity: 'HIGH',
  solution:
    'Check types by content, generate file names, store files where nothing is run, and serve them as attachments from another origin.',
  profile: 'DEEP',
  accepts: ({ place }) => place === 'file',
  async probe(point, operation, context) {
    for (const { extension, mediaType, content, isRun } of kinds) {
      const [left, right, word] = [context.number(8), context.number(8), context.word()]
      const fileName = `${word}${extension}`
      const sent = await context.attempt(operation, [{ point, value: content(left, right, word), fileName, mediaType }])
      if (!sent || sent.answer.status >= 400) continue
      for (const url of placesOf(sent, fileName, operation, context)) {
        const got = await quietly(context.send(get(url)))
        const proof = got?.answer.status === 200 ? isRun(got, String(left + right), word) : null
        if (!got || !proof) continue
        const isProgram = isRun === program
        return {
          severity: isProgram ? 'CRITICAL' : 'MEDIUM',
          title: isProgram
            ? 'Unrestricted file upload (runs on the server)'
            : 'Unrestricted file upload (runs in browsers)',
          detail: `${fileName} was accepted as ${mediaType} and is served at ${URL.parse(url)?.pathname} so that it runs.`,
          proof: [proof],
          exchange: got,
        }
      }
    }
    return null
  },
}

const MOST_NAMES = 2
const MOST_PLACES = 36
const extensionOf = (name: string): string => name.slice(name.lastIndexOf('.'))

/** Where an uploaded file may be served: addresses in the answer, then the usual folders. */
function placesOf(
  { text, answer, request }: Exchange,
  fileName: string,
  operation: Operation,
  { target }: Context,
): string[] {
  const stem = fileName.replace(/\.\w+$/, '')
  const named = [
    ...text.matchAll(/["'(>\s=]((?:https?:\/\/[^\s"'<>)]{1,200}|\/?[\w./%-]{1,200}))(?=["')<\s\\&]|$)/g),
  ].map(([, path = '']) => path)
  const told = named.filter(
    (path) => path.includes(stem) || /\/(uploads?|files?|images?|media|static|avatars?)\//i.test(path),
  )
  // a name of the server's own, which it tells without its folder
  const renamed = named.filter((path) => !path.includes('/') && path.endsWith(extensionOf(fileName)))
  const folder = operation.path.replace(/\/[^/]*$/, '')
  const usual = [
    '/uploads/',
    '/upload/',
    '/files/',
    '/images/',
    '/media/',
    '/static/uploads/',
    '/public/uploads/',
    `${folder}/uploads/`,
    `${folder}/`,
  ].flatMap((path) => [...new Set([...renamed.slice(0, MOST_NAMES), fileName])].map((name) => path + name))
  const all = [headerOf(answer, 'location'), ...told, ...usual].filter((path) => path !== '')
  return [
    ...new Set(
      all.flatMap((path) =>
        [
          URL.parse(path, request.url)?.href,
          URL.parse(path.startsWith('/') ? path : `/${path}`, target.origin)?.href,
        ].filter((url): url is string => url !== undefined),
      ),
    ),
  ].slice(0, MOST_PLACES)
}
