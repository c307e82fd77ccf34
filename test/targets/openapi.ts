// Describes the REST part of the vulnerable service in OpenAPI 3, from its routes.
import { type Area, type Route, type Schema, string } from './route.ts'

export function describe(areas: Area[], base: string): Record<string, unknown> {
  const paths: Record<string, Record<string, unknown>> = {}
  for (const route of areas.flatMap((area) => area.routes)) {
    if (route.spec === undefined) continue
    paths[route.path] = { ...paths[route.path], [route.method.toLowerCase()]: operationOf(route) }
  }
  return {
    openapi: '3.0.3',
    info: { title: 'Shop', version: '1.0.0' },
    servers: [{ url: base }],
    components: { securitySchemes: { bearer: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT' } } },
    paths,
  }
}

function operationOf({ spec = { summary: '' }, access, method }: Route): Record<string, unknown> {
  const places = { path: spec.path, query: spec.query, header: spec.header, cookie: spec.cookie }
  const parameters = Object.entries(places).flatMap(([place, given = {}]) =>
    Object.entries(given).map(([name, schema]) => ({ in: place, name, schema, required: place === 'path' })),
  )
  const content = (schema: Schema, type = 'application/json') => ({ content: { [type]: { schema } } })
  return {
    summary: spec.summary,
    parameters,
    ...(spec.body ? { requestBody: { required: true, ...content(spec.body, spec.bodyType) } } : {}),
    responses: {
      [method === 'POST' ? 'default' : '200']: {
        description: 'Done',
        ...content(spec.answer ?? string(''), spec.answer ? 'application/json' : 'text/plain'),
      },
    },
    ...(access === 'user' || access === 'admin' ? { security: [{ bearer: [] }] } : {}),
  }
}
