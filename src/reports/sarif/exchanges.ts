// Renders the requests and responses of SARIF as text that reads like HTTP.

import { withoutCredentials } from '../credentials.ts'
import { at, type Fields, isObject, object, text, textAt, whole } from '../values.ts'
import type { Run } from './run.ts'

const LONGEST = 50_000

type Exchange = {
  url?: string
  method?: string
  scheme?: string
  port?: number
  parameters?: string
  request?: string
  response?: string
}

/** What was sent and what came back; `url` is that of the result's place when the request does not say it whole. */
export function exchangeOf(result: Fields, run: Run, url: string | undefined): Exchange {
  const request = shared(result.webRequest, run.requests)
  const response = shared(result.webResponse, run.responses)
  const target = textAt(request, 'target')
  const full = target !== undefined && /^https?:\/\//i.test(target) ? target : url
  const address = full !== undefined && URL.canParse(full) ? new URL(full) : undefined
  return {
    url: full ?? target,
    method: text(request.method, 40)?.toUpperCase(),
    scheme: address?.protocol.replace(':', '') ?? textAt(request, 'protocol')?.toLowerCase(),
    port: portOf(address),
    parameters: pairs(request.parameters, '='),
    request: isObject(result.webRequest) ? withoutCredentials(written(firstLine(request, full), request)) : undefined,
    response: isObject(result.webResponse) ? withoutCredentials(written(statusLine(response), response)) : undefined,
  }
}

function shared(given: unknown, all: readonly Fields[]): Fields {
  const index = whole(at(given, 'index'), 0)
  return { ...(index === undefined ? {} : object(all[index])), ...object(given) }
}

function portOf(address: URL | undefined): number | undefined {
  if (address === undefined) return undefined
  if (address.port !== '') return Number(address.port)
  return address.protocol === 'https:' ? 443 : 80
}

function firstLine(request: Fields, url: string | undefined): string {
  const target = text(request.target) ?? url ?? '/'
  return `${text(request.method, 40)?.toUpperCase() ?? 'GET'} ${target} ${protocolOf(request)}`
}

const statusLine = (response: Fields): string =>
  [protocolOf(response), text(response.statusCode), text(response.reasonPhrase)].filter(Boolean).join(' ')

const protocolOf = (message: Fields): string =>
  `${text(message.protocol, 40)?.toUpperCase() ?? 'HTTP'}/${text(message.version, 10) ?? '1.1'}`

function written(start: string, message: Fields): string {
  const body = textAt(message, 'body', 'text') ?? textAt(message, 'body', 'rendered', 'text')
  return [start, pairs(message.headers, ': '), ...(body === undefined ? [] : ['', body])]
    .filter((part) => part !== undefined)
    .join('\n')
    .slice(0, LONGEST)
}

function pairs(value: unknown, between: string): string | undefined {
  const lines = Object.entries(object(value))
    .slice(0, 200)
    .map(([name, each]) => `${text(name) ?? ''}${between}${text(each) ?? ''}`)
  return lines.length > 0 ? lines.join('\n') : undefined
}
