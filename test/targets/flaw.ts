// What a flaw of the vulnerable service is, so that a scan can be held against the list of them.

/** One way in which the service is wrong; each is switched on its own, and is mended when its switch is off. */
export type Flaw = {
  /** Unique, kebab-case; also the name of its switch. */
  id: string
  cwe: number
  /** `METHOD /path/{parameter}` as described by the service, `Query.field` of GraphQL, a SOAP action, or `*` for all of it. */
  operation: string
  parameter?: string
  /** How one sees it from outside, as a sentence. */
  shows: string
  /** What the title or the evidence of a finding says, where several flaws of one kind share an operation. */
  said?: RegExp
  /** It is seen with this alone: a listener for what the target sends out, a browser, or an encrypted connection. */
  needs?: 'listener' | 'browser'
}

/** Whether a flaw is switched on. */
export type Switch = (id: string) => boolean
