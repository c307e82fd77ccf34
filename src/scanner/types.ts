// The types that the scanner's parts exchange: operations, requests and responses, identities, and options of a scan.

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

/** What scripts of the target's pages keep in the browser, many of them who is signed in. */
export type Stored = { local: Readonly<Record<string, string>>; session: Readonly<Record<string, string>> }

export type Credentials = {
  headers: Record<string, string>
  cookies: readonly (readonly [string, string])[]
  stored?: Stored | null
}

/** BASIC harms nothing: what is read only; BALANCED sends no payload that writes, deletes or sleeps over a second; DEEP sends all. */
export type Profile = 'BASIC' | 'BALANCED' | 'DEEP'

export type Scope = {
  /** origins that are called; the target's own is among them */
  origins: readonly string[]
  /** globs over the path (`/api/**`); empty: everything of the origins */
  include: readonly string[]
  exclude: readonly string[]
  /** what a browser's requests are marked with, by which the target's owner finds them */
  scanId?: string
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
