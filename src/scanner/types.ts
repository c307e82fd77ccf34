// The types that the scanner's parts exchange: operations, requests and responses, and identities.

export type Json = null | boolean | number | string | readonly Json[] | { readonly [name: string]: Json }

/** The part of a JSON schema from which values are generated. References are resolved, and cut where they are circular. */
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
  /** the name of the type in the description, such as `User` */
  name?: string
}

export type ParameterPlace = 'path' | 'query' | 'header' | 'cookie'

export type Parameter = { place: ParameterPlace; name: string; value: string; required: boolean; schema?: Schema }

/** A field of a form; with `fileName` it is a file of a multipart body. */
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

/** One request that the target accepts, such as a method of a path, with values to send. */
export type Operation = {
  /** the same in every scan: `GET /users/{id}`, `POST /graphql#Mutation.login`, `POST /ws#GetUser` */
  key: string
  method: string
  /** scheme, host and port, such as `https://shop.example:8443` */
  origin: string
  /** with `{name}` for each parameter in the path, otherwise sent literally; without a query */
  path: string
  parameters: readonly Parameter[]
  body: Body | null
  kind: OperationKind
  /** logs out, changes a password, deletes or resets: sent only if the scan allows it */
  isDestructive: boolean
  /** whether the description requires credentials; null if it does not say */
  requiresAuth: boolean | null
  source: OperationSource
  /** schemas of responses by status, including `default`; null for a status without a schema */
  answers: Readonly<Record<string, Schema | null>>
  /** fields whose value is new on each load of the page, such as anti-forgery tokens */
  tokens?: readonly string[]
  /** fields that are not changed here, because another variant of the operation changes them */
  fixed?: readonly string[]
  /** visible fields that the page had filled in */
  filled?: readonly string[]
  /** fields with a value that the page does not show */
  hidden?: readonly string[]
  /** the page whose form or script led to the operation */
  foundOn?: string
  /** signs in, and is sent without credentials, because its response could change who the session belongs to */
  isSignIn?: boolean
  /** is for people who forgot their password, according to its description rather than its key */
  isForForgotten?: boolean
  /** made by a check, and not among the operations of the scan */
  isBeside?: boolean
  /** a form that consists of one list, whose other choices may lead to other pages */
  menu?: { field: string; values: readonly string[] }
}

/** One value of an operation that a check may replace. */
export type Point = {
  place: ParameterPlace | 'form' | 'multipart' | 'file' | 'json' | 'xml' | 'variable' | 'body'
  /** the parameter's name; for leaves in a tree their path, such as `user.roles.0` */
  name: string
  value: Json
  schema?: Schema
}

/**
 * A replacement for the value at `point`. `isRaw`: it goes into a URL, a form or an XML document without encoding.
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

/** A request as it is sent: the target of `url` literally, and headers in this order, repetitions included. */
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
  /** decompressed, and cut at the scan's limit */
  body: Buffer
  isCut: boolean
  /** milliseconds from the last byte sent to the first of the answer */
  ms: number
}

export type Exchange = {
  request: HttpRequest
  answer: HttpAnswer
  /** the body as text */
  text: string
  /** the operation's key; '' if the request belongs to none */
  operation: string
  /** whose credentials were sent; null: none */
  identity: string | null
  /** the values with which a check replaced the operation's own */
  values?: readonly string[]
}

/** How credentials are obtained. */
export type Login =
  | {
      type: 'FORM'
      url: string
      username: string
      password: string
      /** CSS selectors of the form's fields; by default found by their type */
      usernameSelector?: string
      passwordSelector?: string
      submitSelector?: string
      /** the base32 secret of a time-based one-time password (RFC 6238) */
      totp?: string
    }
  /** the token is found by its name, or by `tokenPath` (`data.token`), and sent as `Authorization: Bearer` unless `header` names another */
  | { type: 'TOKEN'; request: HttpRequest; tokenPath?: string; header?: string; prefix?: string }

/** A user of the target, with their credentials. */
export type Identity = {
  name: string
  /** the name only tells identities apart and is unknown to the target, so a response that contains it does not name the user */
  isNameMadeUp?: boolean
  headers: readonly (readonly [name: string, value: string])[]
  cookies: readonly (readonly [name: string, value: string])[]
  query: readonly (readonly [name: string, value: string])[]
  login?: Login
}

/** What scripts of the target's pages store in the browser, often the credentials of a session. */
export type Stored = { local: Readonly<Record<string, string>>; session: Readonly<Record<string, string>> }

export type Credentials = {
  headers: Record<string, string>
  cookies: readonly (readonly [string, string])[]
  stored?: Stored | null
}

/** BASIC only sends reads; BALANCED sends no payload that writes, deletes or sleeps for over a second; DEEP sends everything. */
export type Profile = 'BASIC' | 'BALANCED' | 'DEEP'

export type Scope = {
  /** the origins that may be called, including the target's own */
  origins: readonly string[]
  /** globs over the path, such as `/api/**`; empty: everything on the origins */
  include: readonly string[]
  exclude: readonly string[]
  /** marks a browser's requests, so that the target's owner can find them */
  scanId?: string
}

export type Budget = {
  /** the most requests in total */
  requests: number
  /** the longest duration of the scan in milliseconds */
  time: number
  /** requests per second */
  rate: number
  /** requests at the same time */
  concurrency: number
  /** milliseconds for one request */
  timeout: number
  /** the most bytes of a response that are kept */
  largest: number
}
