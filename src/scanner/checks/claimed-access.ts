// Checks for access that is granted to whoever claims it: to be on the server itself, to come from its pages, to be an administrator.

import type { Context, Sighting, TargetCheck } from '../check.ts'
import { likenessOf } from '../compare.ts'
import { quietly } from '../probing.ts'
import { get } from '../requests.ts'
import type { Exchange, HttpRequest } from '../types.ts'
import { isOpened, LIKELY, openedTwice, type RefusedPlace, refusedPlaces } from './refused-places.ts'

/** A claim that a request makes about itself; `control` makes a meaningless one that must open nothing. */
type Claim = {
  said: string
  /** part of the finding's fingerprint: it stays when `said` changes */
  cause: string
  cwes: readonly number[]
  of: (request: HttpRequest) => HttpRequest
  control: (request: HttpRequest, context: Context) => HttpRequest
}

const ADDRESS_HEADERS = [
  'X-Forwarded-For',
  'X-Real-IP',
  'X-Client-IP',
  'X-Originating-IP',
  'X-Remote-IP',
  'X-Remote-Addr',
  'True-Client-IP',
  'Client-IP',
]
const ROLE_HEADERS = ['X-Admin', 'X-Is-Admin', 'Admin']
const ROLE_NAMES = ['X-Role', 'X-User-Role', 'Role']
/** Query parameters that claim a role. */
const QUERY = ['admin', 'isAdmin', 'is_admin', 'debug', 'internal']

const withHeaders = (request: HttpRequest, given: HttpRequest['headers']): HttpRequest => {
  const names = new Set(given.map(([name]) => name.toLowerCase()))
  return { ...request, headers: [...request.headers.filter(([name]) => !names.has(name.toLowerCase())), ...given] }
}

const asAddress = (request: HttpRequest, address: string): HttpRequest =>
  withHeaders(request, [...ADDRESS_HEADERS.map((name) => [name, address] as const), ['Forwarded', `for=${address}`]])

const withQuery = (request: HttpRequest, value: string, role: string): HttpRequest => {
  const url = new URL(request.url)
  for (const name of QUERY) url.searchParams.set(name, value)
  url.searchParams.set('role', role)
  return { ...request, url: url.href }
}

const asRole = (request: HttpRequest, mark: string, role: string): HttpRequest =>
  withHeaders(request, [
    ...ROLE_HEADERS.map((name) => [name, mark] as const),
    ...ROLE_NAMES.map((name) => [name, role] as const),
  ])

/** A request for the public start page that names the refused address in a header which some proxies and frameworks obey. */
const rewritten = (request: HttpRequest, path: string): HttpRequest =>
  withHeaders({ ...get(new URL('/', request.url).href), headers: request.headers }, [
    ['X-Original-URL', path],
    ['X-Rewrite-URL', path],
  ])

const claims: readonly Claim[] = [
  {
    said: 'With headers that claim that the request comes from 127.0.0.1',
    cause: 'With headers that say that the request comes from 127.0.0.1',
    cwes: [290, 348, 285],
    of: (request) => asAddress(request, '127.0.0.1'),
    control: (request, context) => asAddress(request, `203.0.113.${context.number(2)}`),
  },
  {
    said: 'With headers that claim that the request is for localhost',
    cause: 'With headers that say that the request is for localhost',
    cwes: [290, 348, 285],
    of: (request) => withHeaders(request, [['X-Forwarded-Host', 'localhost']]),
    control: (request, context) => withHeaders(request, [['X-Forwarded-Host', `${context.word()}.example`]]),
  },
  {
    said: 'With the path in X-Original-URL or X-Rewrite-URL',
    cause: 'With the address in X-Original-URL or X-Rewrite-URL',
    cwes: [863, 285],
    of: (request) => rewritten(request, new URL(request.url).pathname),
    control: (request, context) => rewritten(request, `/${context.word()}`),
  },
  {
    said: 'With an admin page as the Referer',
    cause: 'With a Referer that is a page for administrators',
    cwes: [293, 285],
    of: (request) => withHeaders(request, [['Referer', new URL('/admin', request.url).href]]),
    control: (request, context) => withHeaders(request, [['Referer', new URL(`/${context.word()}`, request.url).href]]),
  },
  {
    said: 'With headers that claim an administrator role',
    cause: 'With headers that say that an administrator asks',
    cwes: [290, 285],
    of: (request) => asRole(request, 'true', 'admin'),
    control: (request, context) => asRole(request, context.word(), context.word()),
  },
  {
    said: 'With parameters that claim an administrator role',
    cause: 'With parameters that say that an administrator asks',
    cwes: [472, 285],
    of: (request) => withQuery(request, 'true', 'admin'),
    control: (request, context) => withQuery(request, context.word(), context.word()),
  },
]

export const claimedAccess: TargetCheck = {
  kind: 'target',
  id: 'claimed-access',
  title: 'Access control bypass through trusted headers or parameters',
  cwes: [290, 285],
  severity: 'HIGH',
  solution:
    'Decide access by the session and by the path that is finally served. Do not trust headers or parameters that a client can set, and have the proxy overwrite those that it sets itself.',
  profile: 'BALANCED',
  async *probe(context) {
    const places = await refusedPlaces(context)
    for (const claim of claims) {
      for (const place of places) {
        const shown = await opened(place, claim, context)
        if (shown === null) continue
        yield { ...shown, cwes: claim.cwes, cause: claim.cause }
        break
      }
    }
  },
}

/** Opened twice with the claim, and neither without it nor with a meaningless one. */
async function opened(place: RefusedPlace, claim: Claim, context: Context): Promise<Sighting | null> {
  const { operation, request } = place
  const given = operation ? { operation } : {}
  const ask = (asked: HttpRequest) => quietly(context.send(asked, given))
  const opens = (exchange: Exchange | null): exchange is Exchange => isOpened(exchange, place.refused)
  const found = await openedTwice(
    {
      claimed: () => ask(claim.of(request)),
      madeUp: () => ask(claim.control(request, context)),
      plain: () => ask(request),
    },
    opens,
    // where another claim is answered too, it is the answer that counts: the page that everybody gets says nothing
    (control, first) => !opens(control) || likenessOf(control, first) <= LIKELY,
  )
  if (found === null) return null
  const { again, still } = found
  return {
    detail: `${claim.said}, a request that is otherwise refused (${still.answer.status}) succeeds, twice; with a made-up value it does not.`,
    proof: [again.text.slice(0, 80)],
    exchange: again,
    ...given,
  }
}
