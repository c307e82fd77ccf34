// What the scanner's parts hand each other: operations, requests and answers, identities, checks, findings, and how a scan may behave.

import type { CallbackAddress } from '../core/callback-address.ts'
import type { Outcome, ScanEvents } from './outcome.ts'

export type Json = null | boolean | number | string | readonly Json[] | { readonly [name: string]: Json }

/** The part of a JSON schema that values are made of; references are resolved, and cut where they run in circles. */
export type Schema = {
  type?: string
  format?: string
  enum?: readonly Json[]
  example?: Json
  default?: Json
  pattern?: string
  minimum?: number
  maximum?: number
  minLength?: number
  maxLength?: number
  properties?: Readonly<Record<string, Schema>>
  required?: readonly string[]
  items?: Schema
  readOnly?: boolean
  /** the name that the description gives the type, such as `User` */
  name?: string
}

export type ParameterPlace = 'path' | 'query' | 'header' | 'cookie'

export type Parameter = { place: ParameterPlace; name: string; value: string; required: boolean; schema?: Schema }

/** A field of a form; `fileName` makes it a file of a multipart body. */
export type Field = { name: string; value: string; fileName?: string; mediaType?: string; schema?: Schema }

export type Body =
  | { type: 'json'; mediaType: string; value: Json; schema?: Schema }
  | { type: 'form'; fields: readonly Field[] }
  | { type: 'multipart'; fields: readonly Field[] }
  /** a document whose text nodes and attributes can be changed */
  | { type: 'xml'; mediaType: string; text: string }
  /** literals stand in `variables`; `types` are the names of their GraphQL types, such as `[ID!]` */
  | {
      type: 'graphql'
      query: string
      operationName: string
      variables: { readonly [name: string]: Json }
      types: Readonly<Record<string, string>>
    }
  | { type: 'raw'; mediaType: string; text: string }

export type OperationKind = 'read' | 'create' | 'update' | 'delete'

export type OperationSource =
  | 'openapi'
  | 'graphql'
  | 'soap'
  | 'postman'
  | 'har'
  | 'crawl'
  | 'browser'
  | 'form'
  | 'guess'

/** One thing that the target can be asked, with values that ask for it. */
export type Operation = {
  /** the same in every scan: `GET /users/{id}`, `POST /graphql#Mutation.login`, `POST /ws#GetUser` */
  key: string
  method: string
  /** scheme, host and port, such as `https://shop.example:8443` */
  origin: string
  /** with `{name}` for each parameter in the path, sent as it stands otherwise; without a query */
  path: string
  parameters: readonly Parameter[]
  body: Body | null
  kind: OperationKind
  /** logs out, changes a password, deletes or resets: sent only when the scan was asked to */
  isDestructive: boolean
  /** what the description says of credentials; null when it says nothing */
  requiresAuth: boolean | null
  source: OperationSource
  /** schemas of answers by status, `default` among them; a status without a schema has null */
  answers: Readonly<Record<string, Schema | null>>
  /** fields whose value the page gives anew each time, such as a token against forged requests */
  tokens?: readonly string[]
  /** fields that stay as they are: another form of the operation has them changed */
  fixed?: readonly string[]
  /** fields a person sees which the page had filled in */
  filled?: readonly string[]
  /** the page on which a form or a script led here */
  foundOn?: string
  /** asked to sign in: it is sent without credentials, since its answers could make somebody else of whoever sends it */
  isSignIn?: boolean
  /** is for people who forgot their password, as its description says and its key does not */
  isForForgotten?: boolean
  /** a check's own, beside the operations of the scan */
  isBeside?: boolean
  /** a form of nothing but a list, whose other choices may lead to other pages */
  menu?: { field: string; values: readonly string[] }
}

/** One value of an operation that a check may replace. */
export type Point = {
  place: ParameterPlace | 'form' | 'multipart' | 'file' | 'json' | 'xml' | 'variable' | 'body'
  /** the parameter's name; of leaves in a tree the way to them, such as `user.roles.0` */
  name: string
  value: Json
  schema?: Schema
}

/**
 * A value in place of the one at `point`. `isRaw`: it goes into a URL, a form or an XML document as it is, without encoding.
 * `rename`: the parameter is sent under this name (`id[$ne]`). `fileName` and `mediaType` replace those of a file.
 */
export type Change = {
  point: Point
  value: Json
  isRaw?: boolean
  rename?: string
  fileName?: string
  mediaType?: string
}

/** What goes over the wire: the target of `url` is sent as it stands, headers in order, repeated ones repeated. */
export type HttpRequest = {
  method: string
  url: string
  headers: readonly (readonly [name: string, value: string])[]
  body: string | Buffer | null
}

export type HttpAnswer = {
  status: number
  /** in order, names in lower case */
  headers: readonly (readonly [name: string, value: string])[]
  /** unpacked, cut at the scan's bound */
  body: Buffer
  isCut: boolean
  /** milliseconds from the last byte sent to the first of the answer */
  ms: number
}

export type Exchange = {
  request: HttpRequest
  answer: HttpAnswer
  /** the body as text, made once */
  text: string
  /** the operation's key, '' when it was no operation's */
  operation: string
  /** whose credentials were sent; null: nobody's */
  identity: string | null
  /** what a check put in the place of the operation's own values */
  values?: readonly string[]
}

/** How credentials are got; `PARAMETERS` are sent as they are. */
export type Login =
  | {
      type: 'FORM'
      url: string
      username: string
      password: string
      /** CSS selectors of the form's fields; found by their kind when left out */
      usernameSelector?: string
      passwordSelector?: string
      submitSelector?: string
      /** base32 secret of a second factor by time */
      totp?: string
    }
  /** the token is found by its name, or by `tokenPath` (`data.token`), and sent as `Authorization: Bearer` unless `header` says else */
  | { type: 'TOKEN'; request: HttpRequest; tokenPath?: string; header?: string; prefix?: string }

/** Somebody whom the target knows. */
export type Identity = {
  name: string
  /** the target knows nobody by the name, which only tells identities apart: an answer that has it names nobody */
  isNameMadeUp?: boolean
  headers: readonly (readonly [name: string, value: string])[]
  cookies: readonly (readonly [name: string, value: string])[]
  query: readonly (readonly [name: string, value: string])[]
  login?: Login
}

/** BASIC harms nothing: what is read only; BALANCED sends no payload that writes, deletes or sleeps over a second; DEEP sends all. */
export type Profile = 'BASIC' | 'BALANCED' | 'DEEP'

export type Scope = {
  /** origins that are called; the target's own is among them */
  origins: readonly string[]
  /** globs over the path (`/api/**`); empty: everything of the origins */
  include: readonly string[]
  exclude: readonly string[]
}

export type Budget = {
  /** requests in all */
  requests: number
  /** milliseconds in all */
  time: number
  /** requests a second */
  rate: number
  /** requests at the same time */
  concurrency: number
  /** milliseconds for one request */
  timeout: number
  /** bytes of an answer that are kept */
  largest: number
}

export type Severity = 'NOTIFICATION' | 'LOW' | 'MEDIUM' | 'HIGH' | 'CRITICAL'

/** What a check says that it saw. The engine adds the operation's place, the fingerprint and the masked text. */
export type Sighting = {
  /** the flaw's own CWE first; the check's when left out */
  cwes?: readonly number[]
  severity?: Severity
  title?: string
  /** one sentence: what shows the flaw here */
  detail: string
  /** texts of the answer (or the request) that prove it: marked in the evidence */
  proof: readonly string[]
  exchange: Exchange
  operation?: Operation
  point?: Point
  /** what one root cause is: findings of a check that share it are one, whatever operation showed it */
  cause?: string
}

type CheckFacts = {
  /** `sql-injection`, the same for good */
  id: string
  title: string
  cwes: readonly number[]
  severity: Severity
  /** what to change, one or two sentences */
  solution: string
  /** the least profile that runs it */
  profile: Profile
  /** runs only when the scan names it */
  isOnRequest?: boolean
  /** without a listener it does not see all that it looks for */
  usesListener?: boolean
  /** an operation that limits how often it is asked shows that the flaw is not there */
  isRefutedByLimit?: boolean
}

/** Looks at every exchange and sends nothing. */
export type PassiveCheck = CheckFacts & {
  kind: 'passive'
  /** what it says rests on the request too, and not on the answer, its operation and its identity alone */
  readsRequest?: boolean
  look: (exchange: Exchange, context: Context) => Iterable<Sighting>
}

/** Changes one value of one operation. Returns after the first sighting; null: nothing is wrong as far as it sees. */
export type PointCheck = CheckFacts & {
  kind: 'point'
  accepts?: (point: Point, operation: Operation) => boolean
  probe: (point: Point, operation: Operation, context: Context) => Promise<Sighting | null>
}

/** Looks at one operation as a whole. */
export type OperationCheck = CheckFacts & {
  kind: 'operation'
  accepts?: (operation: Operation, context: Context) => boolean
  probe: (operation: Operation, context: Context) => AsyncIterable<Sighting>
}

/** Looks at the target as a whole, once. `isLast`: after all others, for what shows only then. */
export type TargetCheck = CheckFacts & {
  kind: 'target'
  isLast?: boolean
  probe: (context: Context) => AsyncIterable<Sighting>
}

export type Check = PassiveCheck | PointCheck | OperationCheck | TargetCheck

export type SendOptions = {
  /** whose credentials; the first identity's when left out, null: nobody's */
  identity?: Identity | null
  /** milliseconds */
  timeout?: number
  /** nothing else is sent meanwhile: for what is measured by time */
  isAlone?: boolean
  /** it was sent before, and refused for now */
  isRetry?: boolean
  /** a step of signing in: whatever it answers, the session is not opened anew for it */
  isSignIn?: boolean
  /** the operation that the request belongs to */
  operation?: Operation
  /** what was put in the place of its values */
  values?: readonly string[]
}

/** What a normal request of an operation answers, and how much of it stays the same from one request to the next. */
export type Baseline = {
  exchange: Exchange
  /** a second request at another time */
  again: Exchange
  /** 0 to 1: how alike the two are; dynamic pages have less than 1 */
  likeness: number
}

/** A listener that targets reach when they call out; each token belongs to one probe. */
export type OutOfBand = {
  /** an address with a fresh token, what to call when something asked for it, and what is answered there */
  expect: (
    onHit: (hit: { method: string; path: string }) => void,
    content?: string,
  ) => { url: string; host: string; token: string }
}

/** What a check works with. All sending goes through it: rate, budget, scope, sessions and cancelling are kept there. */
export type Context = {
  profile: Profile
  /** what deletes, logs out, resets or changes passwords may be asked */
  allowsDestructive: boolean
  /** the address that the scan was given */
  target: URL
  scope: Scope
  operations: readonly Operation[]
  /** the first one's credentials are used unless a check says else; empty: the target is scanned as nobody */
  identities: readonly Identity[]
  /** The operation's request with the values known now; `changes` in place of some of them. */
  requestOf: (operation: Operation, changes?: readonly Change[]) => HttpRequest
  pointsOf: (operation: Operation) => readonly Point[]
  /** Sends and answers; rejects with SendFailed when no answer came, or with ScanStopped when the scan is over. */
  send: (request: HttpRequest, options?: SendOptions) => Promise<Exchange>
  /** As `send` of `requestOf`; null when no answer came. */
  attempt: (operation: Operation, changes?: readonly Change[], options?: SendOptions) => Promise<Exchange | null>
  /** Made at the first question; null when the operation does not answer. */
  baseline: (operation: Operation) => Promise<Baseline | null>
  /** What the first pass got for the operation as that identity (the first one when left out; null: nobody). */
  seen: (operation: Operation, identity?: Identity | null) => Exchange | undefined
  /** What the sign-in of an identity was answered with; null where its login gave no token. */
  signedIn: (identity: Identity) => Exchange | null
  /** the cookies of the first identity, or of nobody, as they are now */
  cookies: () => readonly (readonly [name: string, value: string])[]
  /** a fresh lower-case word that occurs nowhere else */
  word: () => string
  /** a fresh whole number of so many digits, without a zero at its start or end */
  number: (digits: number) => number
  /** what a browser needs to be the first identity; null when the scan uses none */
  asBrowser: (() => Credentials) | null
  /** null when the scan has no listener */
  outOfBand: OutOfBand | null
  /** Tells of what shows itself later than the probe: an out-of-band call, a stored value. */
  report: (check: Check, sighting: Sighting) => void
  signal: AbortSignal
}

export type ScanOptions = {
  target: string
  /** bytes of a description: OpenAPI, Swagger, GraphQL (SDL or introspection), WSDL, Postman, HAR; its format is told by its content */
  schema?: {
    name: string
    text: string
    /** where it was got: what it imports from the same origin is fetched */
    url?: string
  } | null
  /** null: told by the description and by what the target answers */
  format?: SeedFormat | null
  profile: Profile
  identities: readonly Identity[]
  scope?: Partial<Scope>
  budget?: Partial<Budget>
  /** checks to run; all of the profile when left out */
  checks?: readonly string[]
  /** operations that delete, log out, reset or change passwords are sent too */
  allowDestructive?: boolean
  /** links and forms of the target's pages are followed; without it a description alone says what is there */
  crawl?: boolean
  /** a Chromium is used when there is one */
  browser?: boolean
  /** where the target reaches this scanner (port 0: any); without it nothing is out of band */
  listener?: CallbackAddress | null
  /** private addresses that may be called, beside the target's own host */
  allowed?: Allowed
  /** the value of the X-Scan-Id header */
  scanId?: string
  signal?: AbortSignal
  events?: ScanEvents
}

export type SeedFormat = 'OPENAPI' | 'GRAPHQL' | 'SOAP' | 'POSTMAN' | 'HAR'

export type { Outcome }

type Allowed = import('../core/outbound-address.ts').Allowed
type Credentials = import('./browser.ts').Credentials
