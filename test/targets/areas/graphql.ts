// GraphQL of the shop: the same data behind one address, with the limits that such an address needs.
import { execute, getOperationAST, NoSchemaIntrospectionCustomRule, parse, specifiedRules, validate } from 'graphql'
import { measure } from '../graphql-measure.ts'
import { type Answer, type Area, type Call, json, page, Refusal, text } from '../route.ts'
import { roots, schema } from './graphql-schema.ts'

const LIMITS = { depth: 8, aliases: 10, directives: 10, repeated: 10 }

async function answer(call: Call, asked: Record<string, unknown>): Promise<Record<string, unknown>> {
  const { on } = call
  const problem = (message: string, more = {}) => ({ errors: [{ message, ...more }] })
  try {
    const document = parse(text(asked.query), { maxTokens: 20_000 })
    const rules = on('graphql-introspection') ? specifiedRules : [...specifiedRules, NoSchemaIntrospectionCustomRule]
    const [wrong] = validate(schema, document, rules)
    if (wrong !== undefined) {
      return problem(on('graphql-suggestions') ? wrong.message : wrong.message.replace(/ ?Did you mean .*$/, ''))
    }
    const size = measure(document)
    if (size.depth > LIMITS.depth && !on('graphql-depth')) throw new Refusal(400, 'This is too deep')
    if (size.aliases > LIMITS.aliases && !on('graphql-aliases')) throw new Refusal(400, 'These are too many aliases')
    if (size.directives > LIMITS.directives && !on('graphql-directives')) throw new Refusal(400, 'Too many directives')
    if (size.repeated > LIMITS.repeated && !on('graphql-repeated')) throw new Refusal(400, 'Too many equal fields')

    const operation = getOperationAST(document, text(asked.operationName) || undefined)
    if (call.method === 'GET' && operation?.operation === 'mutation' && !on('graphql-get')) {
      throw new Refusal(405, 'A change is asked for with POST')
    }
    const variableValues =
      typeof asked.variables === 'string' ? JSON.parse(asked.variables || '{}') : (asked.variables ?? {})
    const operationName = text(asked.operationName) || undefined
    const result = await execute({ schema, document, rootValue: roots(call), variableValues, operationName })
    const errors = result.errors?.map(({ message, path, originalError }) =>
      on('graphql-trace')
        ? { message, path, extensions: { exception: { stacktrace: originalError?.stack?.split('\n') } } }
        : { message: /^(Sign in|This is for)/.test(message) ? message : 'Something went wrong', path },
    )
    return errors === undefined ? { data: result.data } : { data: result.data, errors }
  } catch (error) {
    return problem(error instanceof Error ? error.message : 'Failed')
  }
}

async function serve(call: Call): Promise<Answer> {
  const type = call.headers['content-type'] ?? ''
  if (Array.isArray(call.body.list)) {
    if (!call.on('graphql-batch')) throw new Refusal(400, 'One operation at a time')
    return json(await Promise.all(call.body.list.map((asked: Record<string, unknown>) => answer(call, asked))))
  }
  if (type.includes('x-www-form-urlencoded') && !call.on('graphql-form')) throw new Refusal(415, 'JSON only')
  const result = await answer(call, call.body)
  return json(result, 'data' in result ? 200 : 400)
}

const workbench = `<div id="graphiql">Loading...</div><script src="/assets/graphiql.min.js"></script><script>
ReactDOM.render(React.createElement(GraphiQL, { fetcher: GraphiQL.createFetcher({ url: '/graphql' }) }), document.getElementById('graphiql'))</script>`

export const graphql: Area = {
  flaws: [
    {
      id: 'graphql-introspection',
      cwe: 200,
      operation: 'POST /graphql',
      shows: 'the whole schema is answered',
      said: /introspect/i,
    },
    {
      id: 'graphql-suggestions',
      cwe: 209,
      operation: 'POST /graphql',
      shows: 'a wrong name is answered with right ones',
      said: /suggest|did you mean/i,
    },
    {
      id: 'graphql-token',
      cwe: 347,
      operation: 'POST /graphql#Query.whoIs',
      parameter: 'token',
      shows: 'a token among the variables is taken whoever signed it',
    },
    {
      id: 'graphql-batch',
      cwe: 770,
      operation: 'POST /graphql',
      shows: 'many operations in one request are run',
      said: /batch|array/i,
    },
    {
      id: 'graphql-aliases',
      cwe: 770,
      operation: 'POST /graphql',
      shows: 'one field under a hundred names is run a hundred times',
      said: /alias/i,
    },
    {
      id: 'graphql-directives',
      cwe: 770,
      operation: 'POST /graphql',
      shows: 'many directives on one field are taken',
      said: /directive/i,
    },
    {
      id: 'graphql-repeated',
      cwe: 770,
      operation: 'POST /graphql',
      shows: 'one field named a thousand times is taken',
      said: /repeat|duplicat/i,
    },
    {
      id: 'graphql-depth',
      cwe: 674,
      operation: 'POST /graphql',
      shows: 'types that contain each other are followed without end',
    },
    {
      id: 'graphql-get',
      cwe: 352,
      operation: 'POST /graphql',
      shows: 'a change can be asked for with GET',
      said: /GET/,
    },
    {
      id: 'graphql-form',
      cwe: 352,
      operation: 'POST /graphql',
      shows: 'a change can be asked for with a form',
      said: /form/i,
    },
    {
      id: 'graphql-workbench',
      cwe: 489,
      operation: 'GET /graphql',
      shows: 'a workbench for developers is there',
      said: /graphiql|workbench|console/i,
    },
    {
      id: 'graphql-trace',
      cwe: 209,
      operation: 'POST /graphql',
      shows: 'a failure answers with a stack trace',
      said: /trace|debug/i,
    },
    {
      id: 'graphql-order',
      cwe: 639,
      operation: 'POST /graphql#Query.order',
      parameter: 'id',
      shows: "another user's order is answered",
    },
    {
      id: 'graphql-signin-unlimited',
      cwe: 307,
      operation: 'POST /graphql#Mutation.signIn',
      shows: 'passwords can be guessed without end',
    },
    {
      id: 'graphql-all-users',
      cwe: 862,
      operation: 'POST /graphql#Query.allUsers',
      shows: 'an ordinary user reads all users',
    },
    {
      id: 'graphql-sql',
      cwe: 89,
      operation: 'POST /graphql#Query.products',
      parameter: 'kind',
      shows: 'a condition is evaluated',
    },
    {
      id: 'graphql-shell',
      cwe: 78,
      operation: 'POST /graphql#Query.ping',
      parameter: 'host',
      shows: 'a second command is run',
    },
  ],
  routes: [
    { method: 'POST', path: '/graphql', handle: serve },
    {
      method: 'GET',
      path: '/graphql',
      handle: async (call) => {
        if (call.query.query !== undefined) {
          const result = await answer(call, call.query)
          return json(result, 'data' in result ? 200 : 400)
        }
        if (call.on('graphql-workbench') && (call.headers.accept ?? '').includes('text/html')) {
          return page('GraphiQL', workbench)
        }
        throw new Refusal(400, 'A query is needed')
      },
    },
  ],
}
