// What a sample is: one way to call a root field, with the places in its variables that hold ids.

import type { Variables } from '../../testkit/client.ts'
import type { Subject } from './making.ts'

/** What an id may be of; `email` and `publicId` stand for a record in other words. */
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

/** Places of ids: the path of a variable (`input.assetIds.0`) → what it is the id of. */
export type Places = Readonly<Record<string, Kind>>

export type Sample = {
  /** The whole document, where it is none that a client is known to send and none that the schema alone gives. */
  document?: string
  /** Of the root field; needed where no client's document is known. */
  select?: string
  /** Everything but the ids. */
  variables?: (subject: Subject) => Variables | Promise<Variables>
  /** Ids without which the sample would not be itself. */
  ids?: Places
  /** Ids that may be given too, each by itself. */
  optional?: Places
  /** Places where no id can be right, whosever it is. */
  never?: Places
  /** Ids by which a list is narrowed: a foreign one finds as little as a missing one, and is no failure. */
  filters?: Places
  /** Of `ids`: places at which what is not found is null, and no failure. */
  unfound?: readonly string[]
  /** Of `ids`: those whose record is gone, or is no more what it was, after the call. */
  consumes?: readonly string[]
  /** Only an administrator may; owners are told FORBIDDEN. */
  administrator?: true
  /** A mutation that takes no more than reading does: all that it writes is that it was asked. */
  reads?: true
  /** A mutation of what belongs to who asks and to nobody else: a reader may. */
  isPersonal?: true
  /** Scope that a query takes beside `read`. */
  scope?: string
  /** What the sample comes to where it is refused although all is right, and why. */
  refused?: { code: string; message: RegExp }
  /** Where a failure stands in the payload: read from its data. */
  failureIn?: (payload: Record<string, unknown>) => { code: string; message: string } | undefined
}

/** Root field → sample; what follows a colon tells further samples of the same field apart. */
export type Samples = Readonly<Record<string, Sample>>

/** A file inside a JSON body. */
export const inlineFile = (content: string, filename = 'note.txt', contentType = 'text/plain') => ({
  filename,
  contentType,
  base64: Buffer.from(content).toString('base64'),
})
