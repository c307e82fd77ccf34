// Serves the console at every address that no other route has. Its files are built and compressed beforehand, and browsers cache them forever.

import { readdir, readFile, stat } from 'node:fs/promises'
import { extname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { pathOf } from './edge.ts'

const built = fileURLToPath(new URL('../../web/dist/', import.meta.url))

/** Where the build puts files whose names change with their content. */
const KEPT = '/console/'
const A_YEAR = 'public, max-age=31536000, immutable'

const types: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.woff2': 'font/woff2',
  '.json': 'application/json; charset=utf-8',
}

/** Compressed forms stand beside a file, under its name with one of these endings. */
const encodings = [
  ['br', '.br'],
  ['gzip', '.gz'],
] as const

const contentSecurityPolicy =
  "default-src 'self'; object-src 'none'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'"

const notBuilt = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta http-equiv="refresh" content="2">
<title>Merlon</title>
<p>The console is being built; this page asks again by itself. If it stays like this, run <code>npm run build:web</code>.
</html>
`

type Files = { built: number; names: ReadonlySet<string> }

/** Answers a request for a page or a file of the console and returns true; false if it is for neither. */
type ShowPage = (request: FastifyRequest, reply: FastifyReply) => Promise<boolean>

/** `directory` holds the output of `npm run build:web`, which may appear or be replaced while the service runs. */
export function openConsole(directory: string = built): ShowPage {
  let known: Files = { built: 0, names: new Set() }

  const list = async (): Promise<Files> => {
    const made = await stat(join(directory, 'index.html')).catch(() => null)
    if (!made) return { built: 0, names: new Set() }
    if (made.mtimeMs !== known.built) {
      const entries = await readdir(directory, { recursive: true, withFileTypes: true })
      const paths = entries.filter((entry) => entry.isFile()).map(({ parentPath, name }) => join(parentPath, name))
      known = { built: made.mtimeMs, names: new Set(paths.map((path) => path.slice(directory.length))) }
    }
    return known
  }

  return async (request, reply) => {
    if (request.method !== 'GET' && request.method !== 'HEAD') return false
    const path = pathOf(request)
    const isPage = (request.headers.accept ?? '').includes('text/html')
    const isFile = path.startsWith(KEPT) || path === '/favicon.svg'
    if (!isFile && !isPage) return false

    const files = await list()
    if (isPage && !isFile && files.built === 0) {
      reply.code(503).header('retry-after', '2').headers(pageHeaders('text/html; charset=utf-8')).send(notBuilt)
      return true
    }
    const name = isFile ? path.slice(1) : 'index.html'
    if (!files.names.has(name)) return false

    const [encoding, ending] = chooseEncoding(request.headers['accept-encoding'] ?? '', name, files)
    const body = await readFile(join(directory, name + ending)).catch(() => null)
    if (body === null) return false
    reply
      .code(200)
      .headers(pageHeaders(types[extname(name)] ?? 'application/octet-stream'))
      .header('cache-control', path.startsWith(KEPT) ? A_YEAR : 'no-cache')
      .header('vary', 'accept-encoding')
    if (encoding) reply.header('content-encoding', encoding)
    reply.send(body)
    return true
  }
}

const pageHeaders = (type: string) => ({
  'content-type': type,
  'content-security-policy': contentSecurityPolicy,
  'cross-origin-opener-policy': 'same-origin',
})

function chooseEncoding(accepted: string, name: string, { names }: Files): readonly [string | null, string] {
  for (const [encoding, ending] of encodings) {
    const isTaken = new RegExp(`\\b${encoding}\\b(?!\\s*;\\s*q=0(?:\\.0*)?(?:,|$))`).test(accepted)
    if (isTaken && names.has(name + ending)) return [encoding, ending]
  }
  return [null, '']
}
