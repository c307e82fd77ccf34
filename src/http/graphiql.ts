// GraphiQL at /graphiql, served from our own files: open in development, else for console sessions and for administrators by key.

import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { ApplicationError } from '../core/errors.ts'
import { mendingScript } from './explorer-mending.ts'
import { startScript } from './explorer-start.ts'
import type { ServerParts } from './server-parts.ts'
import { isSignedIn } from './session.ts'

const require = createRequire(import.meta.url)
const packageDirectory = (name: string) => dirname(require.resolve(`${name}/package.json`))

const files: Record<string, { path: string; type: string }> = {
  'react.js': { path: join(packageDirectory('react-18'), 'umd/react.production.min.js'), type: 'text/javascript' },
  'react-dom.js': {
    path: join(packageDirectory('react-dom-18'), 'umd/react-dom.production.min.js'),
    type: 'text/javascript',
  },
  'graphiql.js': { path: join(packageDirectory('graphiql'), 'graphiql.min.js'), type: 'text/javascript' },
  'graphiql.css': { path: join(packageDirectory('graphiql'), 'graphiql.min.css'), type: 'text/css' },
}

/** Darker colours for GraphiQL's light theme, whose own have too little contrast (WCAG 2.2, 1.4.3). */
const style = `body { margin: 0 }
#graphiql { height: 100vh }
h1 { position: absolute; width: 1px; height: 1px; margin: 0; overflow: hidden; clip-path: inset(50%) }
body .graphiql-container { --alpha-secondary: 1; --alpha-tertiary: .85 }
@media (prefers-color-scheme: light) {
  body .graphiql-container, body .CodeMirror-info, body .CodeMirror-hints, body .graphiql-dialog {
    --color-secondary: 242,51%,50%; --color-tertiary: 188,100%,23%; --color-info: 208,100%,35%;
    --color-success: 158,60%,25%; --color-warning: 36,100%,27%
  }
}`

const page = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<title>Merlon – GraphiQL</title>
<link rel="stylesheet" href="/graphiql/graphiql.css">
<style>${style}</style>
<body><main><h1>API explorer</h1><div id="graphiql"></div></main>
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
      .headers({ 'content-type': `${type}; charset=utf-8`, 'content-security-policy': contentSecurityPolicy })
      .send(body)

  app.get('/graphiql', { onRequest: letIn }, (_, reply) => answer(reply, 'text/html', page))
  for (const [name, script] of Object.entries({ 'mending.js': mendingScript, 'start.js': startScript })) {
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
