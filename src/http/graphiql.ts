// GraphiQL at /graphiql, from our own files: open in development, to who is signed in to the console, and to administrators by key.

import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { ApplicationError } from '../core/errors.ts'
import type { ServerParts } from './server.ts'
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

const page = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<title>Merlon – GraphiQL</title>
<link rel="stylesheet" href="/graphiql/graphiql.css">
<body style="margin:0"><div id="graphiql" style="height:100vh"></div>
<script src="/graphiql/react.js"></script>
<script src="/graphiql/react-dom.js"></script>
<script src="/graphiql/graphiql.js"></script>
<script src="/graphiql/start.js"></script>
</body>
</html>
`

/** Asks with the session of the console; who has none puts a key in place of it. Each example runs as it stands. */
const start = `const fetcher = GraphiQL.createFetcher({ url: '/graphql', headers: { 'x-merlon-console': '1' } })
const example = (query, variables) => ({ query, variables: variables && JSON.stringify(variables, null, 2) })
const company = { companyId: new URLSearchParams(location.search).get('company') || '1' }
ReactDOM.createRoot(document.getElementById('graphiql')).render(
  React.createElement(GraphiQL, {
    fetcher,
    shouldPersistHeaders: false,
    defaultTabs: [
      example('query Who { viewer { name email isAdministrator } }'),
      example('query Worst($companyId: ID!) {\\n  issues(companyId: $companyId, pagination: { perPage: 10 }, sortOptions: [{ field: PRIORITY, order: DESC }]) {\\n    collection { id title severity status priority { score sentence } asset { name } }\\n    metadata { totalCount }\\n  }\\n}', company),
      example('query Verdicts($companyId: ID!) {\\n  deploys(companyId: $companyId, pagination: { perPage: 10 }) {\\n    collection { id branchName currentCommit asset { name } gate { decision sentence reasons { sentence count } } }\\n  }\\n}', company),
    ],
  }),
)
`

/** GraphiQL sets styles and its editor's workers by itself; scripts come from here alone. */
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
  app.get('/graphiql/start.js', { onRequest: letIn }, (_, reply) => answer(reply, 'text/javascript', start))
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
