// GraphiQL at /graphiql, served from our own files: open in development, else for console sessions and for administrators by key.

import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { ApplicationError } from '../core/errors.ts'
import { lookFiles, lookScript, style } from './explorer-look.ts'
import { mendingScript } from './explorer-mending.ts'
import { startScript } from './explorer-start.ts'
import type { ServerParts } from './server-parts.ts'
import { isSignedIn } from './session.ts'

const require = createRequire(import.meta.url)
const packageDirectory = (name: string) => dirname(require.resolve(`${name}/package.json`))

const scripts = { 'look.js': lookScript, 'mending.js': mendingScript, 'start.js': startScript }

const files: Record<string, { path: string; type: string }> = {
  ...lookFiles,
  'react.js': { path: join(packageDirectory('react-18'), 'umd/react.production.min.js'), type: 'text/javascript' },
  'react-dom.js': {
    path: join(packageDirectory('react-dom-18'), 'umd/react-dom.production.min.js'),
    type: 'text/javascript',
  },
  'graphiql.js': { path: join(packageDirectory('graphiql'), 'graphiql.min.js'), type: 'text/javascript' },
  'graphiql.css': { path: join(packageDirectory('graphiql'), 'graphiql.min.css'), type: 'text/css' },
}

const page = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>API explorer – Merlon</title>
<link rel="icon" href="/favicon.svg">
<link rel="stylesheet" href="/graphiql/tokens.css">
<link rel="stylesheet" href="/graphiql/graphiql.css">
<style>${style}</style>
<body>
<header><nav aria-label="Breadcrumb"><a id="back" href="/">Console</a></nav><h1>API explorer</h1></header>
<main><div id="graphiql"></div></main>
<script src="/graphiql/look.js"></script>
<script src="/graphiql/react.js"></script>
<script src="/graphiql/react-dom.js"></script>
<script src="/graphiql/graphiql.js"></script>
<script src="/graphiql/mending.js"></script>
<script src="/graphiql/start.js"></script>
</body>
</html>
`

/** GraphiQL sets inline styles and starts its editor's workers from blobs; scripts are allowed from this origin only. */
const contentSecurityPolicy =
  "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; connect-src 'self'; font-src 'self' data:; img-src 'self' data:; worker-src 'self' blob:; frame-ancestors 'none'; base-uri 'none'"

export function addGraphiql(app: FastifyInstance, parts: ServerParts): void {
  const letIn = async (request: FastifyRequest, reply: FastifyReply) => {
    if (parts.config.development || (await isSignedIn(request, parts)) || (await isAdministrator(request, parts)))
      return
    reply.header(
      'www-authenticate',
      'Basic realm="Merlon: any name, and the key of an administrator as password", charset="UTF-8"',
    )
    throw new ApplicationError(
      'UNAUTHENTICATED',
      'Sign in to the console first, or give the key of an administrator as the password',
    )
  }
  const answer = (reply: FastifyReply, type: string, body: string | Buffer) =>
    reply
      .headers({
        'content-type': type.startsWith('text/') ? `${type}; charset=utf-8` : type,
        'content-security-policy': contentSecurityPolicy,
      })
      .send(body)

  app.get('/graphiql', { onRequest: letIn }, (_, reply) => answer(reply, 'text/html', page))
  for (const [name, script] of Object.entries(scripts)) {
    app.get(`/graphiql/${name}`, { onRequest: letIn }, (_, reply) => answer(reply, 'text/javascript', script))
  }
  for (const [name, { path, type }] of Object.entries(files)) {
    app.get(`/graphiql/${name}`, { onRequest: letIn }, async (_, reply) => answer(reply, type, await readFile(path)))
  }
}

async function isAdministrator(request: FastifyRequest, { viewers, db }: ServerParts): Promise<boolean> {
  const [scheme, encoded = ''] = (request.headers.authorization ?? '').split(' ', 2)
  if (scheme?.toLowerCase() !== 'basic') return false
  const password = Buffer.from(encoded, 'base64')
    .toString('utf8')
    .replace(/^[^:]*:/, '')
  return (await viewers.find(db, password))?.isAdministrator ?? false
}
