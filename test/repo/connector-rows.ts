// The failures of vendors that every connector must survive, and the test for each: connector × row, with a reason in every empty cell.

import type { ConnectorType } from '../../src/connectors/kinds.ts'

/** A test by its file and title, or a case of one, or why there can be none. */
type Cell = { file: string; title: string } | { none: string }
type Row = { what: string; cells: Record<ConnectorType, Cell> }

const of = (file: string) => (title: string) => ({ file, title })
const none = (reason: string) => ({ none: reason })

/** Registered by each connector's own test file. */
export const SHARED = 'test/testkit/vendor-troubles.ts'
const shared = of(SHARED)
const hostA = of('src/connectors/host-a/host-a.test.ts')
const hostAHook = of('src/connectors/host-a/hooks.test.ts')
const hostB = of('src/connectors/host-b/host-b.test.ts')
const hostBHook = of('src/connectors/host-b/hooks.test.ts')
const boards = of('src/connectors/boards-tracker/boards-tracker.test.ts')
const boardsHook = of('src/modules/sync/hooks.apart.test.ts')
const tasks = of('src/connectors/task-tracker/task-tracker.test.ts')
const tasksHook = of('src/modules/sync/task-hooks.apart.test.ts')
const scannerA = of('src/connectors/scanner-a/scanner-a.test.ts')
const scannerB = of('src/connectors/scanner-b/scanner-b.test.ts')
const followed = of('src/modules/sources/following.apart.test.ts')
const tokens = of('src/modules/integrations/tokens.test.ts')
const revoked = of('src/modules/integrations/revoked.test.ts')
const silence = of('src/connectors/silence.test.ts')

const everywhere = (cell: Cell): Record<ConnectorType, Cell> => ({
  HOST_A: cell,
  HOST_B: cell,
  BOARDS_TRACKER: cell,
  TASK_TRACKER: cell,
  SCANNER_A: cell,
  SCANNER_B: cell,
})

const noAddresses = none('its pages have numbers and no addresses')
const noRenewal = none('its credential does not end and cannot be renewed')
const noHooks = none('it makes no calls')
const scanners = { SCANNER_A: noHooks, SCANNER_B: noHooks }
const notStreamed = none('nothing of it is read as it comes')

const renewed = tokens('that expired is exchanged once for ten calls at the same time in each of two processes')
const refused = revoked(
  'a credential of %s that is refused marks the integration broken, nothing is sent any more, and another one works',
)
const forgedTask = tasksHook('%s is refused and sets nothing off')
const forgedHostA = hostAHook('is nothing without its proof')
const forgedHostB = followed(
  'is refused without its proof, when it was altered, too late, or for an address that nobody gave',
)
const pushedHostA = followed(
  'a push to a repository of HostA becomes a deploy, and its verdict goes to commit and pull request',
)
const forgedBoards = boardsHook(
  'a call about our own move, a call that comes twice, and one without the password start nothing',
)

export const rows: readonly Row[] = [
  {
    what: 'a list of three pages',
    cells: {
      HOST_A: hostA('come from three pages, with the names that they have'),
      HOST_B: hostB('of a group have the branches of three pages'),
      BOARDS_TRACKER: boards(
        'are listed in three pages and an empty one, without a total, which the vendor does not give',
      ),
      TASK_TRACKER: tasks('is missed once deleted, and found among those that changed, page by page'),
      SCANNER_A: scannerA('has web applications of three pages, then hosts, and tells how many there are'),
      SCANNER_B: scannerB('goes through three pages when the next address is %s'),
    },
  },
  {
    what: 'an empty list',
    cells: {
      HOST_A: hostA('are none where there are none'),
      HOST_B: hostB('are none where there are none, and have no total if the answer has none'),
      BOARDS_TRACKER: boards(
        'are listed in three pages and an empty one, without a total, which the vendor does not give',
      ),
      TASK_TRACKER: tasks('are none where there are no spaces, or none in them'),
      SCANNER_A: scannerA('is searched by a part of the name, and may be empty'),
      SCANNER_B: scannerB('may find nothing'),
    },
  },
  {
    what: 'a next address of another origin',
    cells: {
      HOST_A: hostA('of an address that is not Bitbucket’s are not asked for'),
      HOST_B: hostB('of an address that is not GitLab’s are not asked for'),
      BOARDS_TRACKER: noAddresses,
      TASK_TRACKER: noAddresses,
      SCANNER_A: noAddresses,
      SCANNER_B: scannerB('does not follow a next address of somebody else'),
    },
  },
  { what: 'a redirect to another origin', cells: everywhere(shared('that leads elsewhere')) },
  {
    what: 'each way of "too many", then an answer',
    cells: everywhere(shared('waits and goes on when it is told "too many" with %s')),
  },
  {
    what: 'two faults of the server, then an answer',
    cells: everywhere(shared('asks again after two faults of the server')),
  },
  {
    what: 'ten calls at once on an expired token',
    cells: {
      HOST_A: renewed,
      HOST_B: renewed,
      BOARDS_TRACKER: renewed,
      TASK_TRACKER: noRenewal,
      SCANNER_A: noRenewal,
      SCANNER_B: noRenewal,
    },
  },
  { what: 'a credential that was revoked', cells: everywhere(refused) },
  {
    what: 'a call of the vendor',
    cells: {
      HOST_A: pushedHostA,
      HOST_B: hostBHook('that is signed tells its id and the branch that moved'),
      BOARDS_TRACKER: boardsHook('a card that a person moves is followed as soon as the tracker calls'),
      TASK_TRACKER: tasksHook('that is signed has the task looked at, and the finding follows it'),
      ...scanners,
    },
  },
  {
    what: 'a call with a wrong proof',
    cells: {
      HOST_A: forgedHostA,
      HOST_B: hostBHook('that should be signed is nothing without a proof of this moment'),
      BOARDS_TRACKER: forgedBoards,
      TASK_TRACKER: forgedTask,
      ...scanners,
    },
  },
  {
    what: 'a call without a proof',
    cells: {
      HOST_A: forgedHostA,
      HOST_B: forgedHostB,
      BOARDS_TRACKER: boards('is believed with the password alone, and says which item changed'),
      TASK_TRACKER: forgedTask,
      ...scanners,
    },
  },
  {
    what: 'a call that comes again',
    cells: {
      HOST_A: pushedHostA,
      HOST_B: followed('is deployed from its last deploy on when it is pushed to, once however often that is said'),
      BOARDS_TRACKER: forgedBoards,
      TASK_TRACKER: tasksHook('that comes again is taken, and sets nothing off'),
      ...scanners,
    },
  },
  {
    what: 'a call that was altered',
    cells: {
      HOST_A: forgedHostA,
      HOST_B: forgedHostB,
      BOARDS_TRACKER: none('its password is bound to no bytes; what a call says is not believed but looked at'),
      TASK_TRACKER: forgedTask,
      ...scanners,
    },
  },
  { what: 'an answer of another shape', cells: everywhere(shared('of another shape')) },
  { what: 'an answer of 1 GB', cells: everywhere(shared('of 1 GB')) },
  {
    what: 'what is streamed, of 1 GB',
    cells: {
      ...everywhere(notStreamed),
      HOST_A: hostA('a diff of more than 1 GB is given up'),
      SCANNER_A: scannerA('of 1 GB is given up, and not fetched again'),
    },
  },
  { what: 'a page in the place of data', cells: everywhere(shared('that is a page')) },
  { what: 'an answer that is cut', cells: everywhere(shared('asks again after an answer that was cut')) },
  {
    what: 'a minute of silence',
    cells: everywhere(
      silence(
        'a vendor that is silent for a minute is given up before, whichever it is, and so is a diff that comes to a halt',
      ),
    ),
  },
]
