// The type of a sample: one way to call a root field, with the places in its variables that take ids.

import type { Variables } from '../../testkit/client.ts'
import type { Person } from '../../testkit/world.ts'

/** What an id can identify; `email` and `publicId` identify a record in another way. */
export type Kind =
  | 'activity'
  | 'application'
  | 'asset'
  | 'association'
  | 'attachment'
  | 'boards'
  | 'boardsConfiguration'
  | 'branch'
  | 'channel'
  | 'check'
  | 'company'
  | 'companyBoard'
  | 'credit'
  | 'decision'
  | 'delivery'
  | 'deploy'
  | 'email'
  | 'emptyCompany'
  | 'evidence'
  | 'export'
  | 'gatePolicy'
  | 'history'
  | 'hostA'
  | 'hostB'
  | 'import'
  | 'integration'
  | 'issue'
  | 'job'
  | 'key'
  | 'network'
  | 'owner'
  | 'project'
  | 'savedView'
  | 'projectActivity'
  | 'projectRequirement'
  | 'requirement'
  | 'scan'
  | 'publicSeal'
  | 'seal'
  | 'scannerA'
  | 'scannerB'
  | 'scannerConfiguration'
  | 'secret'
  | 'tasks'
  | 'threat'
  | 'threatModel'
  | 'ticket'
  | 'ticketAttachment'
  | 'ticketDomain'
  | 'user'
  | 'waiver'
  | 'web'
  | 'webhook'
  | 'witness'
  | 'workItem'

/** Who sends a sample, and the records that it may name. */
export type Subject = {
  companyId: string
  owner: Person
  /** Returns the same record each time. */
  id: (kind: Kind) => Promise<string>
  /** Creates a new record each time. */
  fresh: (kind: Kind) => Promise<string>
}

/** Maps the path of a variable (`input.assetIds.0`) to what its id identifies. */
export type Places = Readonly<Record<string, Kind>>

export type Sample = {
  /** The whole document, if it is neither a known client's nor derivable from the schema. */
  document?: string
  /** The selection of the root field; required if no client's document is known. */
  select?: string
  /** Everything except the ids. */
  variables?: (subject: Subject) => Variables | Promise<Variables>
  /** Required ids. */
  ids?: Places
  /** Optional ids, each tested separately. */
  optional?: Places
  /** Places where no id is valid, whoever owns it. */
  never?: Places
  /** Ids that filter a list, where a foreign one matches as little as a missing one and is no failure. */
  filters?: Places
  /** Those of `ids` where a missing record yields null rather than a failure. */
  unfound?: readonly string[]
  /** Those of `ids` whose record is deleted or changed for good by the call. */
  consumes?: readonly string[]
  /** Reserved for administrators; owners get FORBIDDEN. */
  administrator?: true
  /** A mutation that requires no more than reading does, because all it records is that it was called. */
  reads?: true
  /** A mutation of what belongs to the caller alone, so that a reader may call it. */
  isPersonal?: true
  /** A scope that a query requires besides `read`. */
  scope?: string
  /** The expected failure of a sample that is refused although it is correct, with the reason. */
  refused?: { code: string; message: RegExp }
  /** Reads a failure that is reported inside the payload rather than in `errors`. */
  failureIn?: (payload: Record<string, unknown>) => { code: string; message: string } | undefined
}

/** Maps root fields to samples; a suffix after a colon distinguishes further samples of the same field. */
export type Samples = Readonly<Record<string, Sample>>

/** A file inside a JSON body. */
export const inlineFile = (content: string, filename = 'note.txt', contentType = 'text/plain') => ({
  filename,
  contentType,
  base64: Buffer.from(content).toString('base64'),
})
