// The writable fields of a project, and how a change is checked and applied to them.

import { readUrl } from '../../core/address.ts'
import { badUserInput } from '../../core/errors.ts'
import type { Id } from '../../core/ids.ts'
import { LONGEST_TEXT, readName, readText, readWords } from '../../core/text.ts'

export type ProjectFields = {
  typeId: Id
  label: string
  goal: string
  scope: string
  /** YYYY-MM-DD */
  startDate: string
  endDate: string | null
  estimatedHours: string | null
  connectivity: string | null
  students: number | null
  tags: string[]
  scopeUrls: string[]
  teamIds: Id[]
  playbookIds: Id[]
  credentialIds: Id[]
  secretIds: string[]
  attackChain: string | null
  comment: string | null
  customExecutiveSummary: string | null
  activeCustomExecutiveSummary: boolean
  customFinalConsiderations: string | null
  activeCustomFinalConsiderations: boolean
}

/** Undefined leaves a value as it is. Null clears a value that may be empty, and leaves any other. */
export type ProjectChange = { [K in keyof ProjectFields]?: ProjectFields[K] | null }

type Needed = Pick<ProjectFields, 'typeId' | 'label' | 'goal' | 'scope' | 'startDate'>

/** The fields of a new project: only those that it must have. */
export const blankProject = (needed: Needed): ProjectFields => ({
  typeId: needed.typeId,
  label: needed.label,
  goal: needed.goal,
  scope: needed.scope,
  startDate: needed.startDate,
  endDate: null,
  estimatedHours: null,
  connectivity: null,
  students: null,
  tags: [],
  scopeUrls: [],
  teamIds: [],
  playbookIds: [],
  credentialIds: [],
  secretIds: [],
  attackChain: null,
  comment: null,
  customExecutiveSummary: null,
  activeCustomExecutiveSummary: false,
  customFinalConsiderations: null,
  activeCustomFinalConsiderations: false,
})

/** Checks the caller's values (lengths, addresses, words); BAD_USER_INPUT names the argument. */
export function readChange(given: ProjectChange): ProjectChange {
  if (typeof given.students === 'number' && given.students < 0) {
    throw badUserInput('students is 0 or more', 'input.students')
  }
  return {
    ...given,
    label: readNeeded(given.label, 'input.label'),
    goal: readNeeded(given.goal, 'input.goal', LONGEST_TEXT),
    scope: readNeeded(given.scope, 'input.scope', LONGEST_TEXT),
    estimatedHours: readText(given.estimatedHours, 'input.estimatedHours', 200),
    connectivity: readText(given.connectivity, 'input.connectivity'),
    tags: readWords(given.tags, 'input.tags'),
    scopeUrls: readScopeUrls(given.scopeUrls),
    secretIds: readWords(given.secretIds, 'input.secretIds'),
    attackChain: readText(given.attackChain, 'input.attackChain'),
    comment: readText(given.comment, 'input.comment'),
    customExecutiveSummary: readText(given.customExecutiveSummary, 'input.customExecutiveSummary'),
    customFinalConsiderations: readText(given.customFinalConsiderations, 'input.customFinalConsiderations'),
  }
}

/** The fields after a change that readChange has passed; BAD_USER_INPUT if the project would end before it starts. */
export function changed(before: ProjectFields, change: ProjectChange): ProjectFields {
  const blank = blankProject(before)
  const after = <K extends keyof ProjectFields>(field: K): ProjectFields[K] => {
    const wanted = change[field]
    if (wanted === undefined) return before[field]
    return wanted ?? blank[field]
  }
  const startDate = after('startDate')
  const endDate = after('endDate')
  if (endDate !== null && endDate < startDate) {
    throw badUserInput('endDate lies before startDate', 'input.endDate')
  }
  return {
    startDate,
    endDate,
    typeId: after('typeId'),
    label: after('label'),
    goal: after('goal'),
    scope: after('scope'),
    estimatedHours: after('estimatedHours'),
    connectivity: after('connectivity'),
    students: after('students'),
    tags: after('tags'),
    scopeUrls: after('scopeUrls'),
    teamIds: after('teamIds'),
    playbookIds: after('playbookIds'),
    credentialIds: after('credentialIds'),
    secretIds: after('secretIds'),
    attackChain: after('attackChain'),
    comment: after('comment'),
    customExecutiveSummary: after('customExecutiveSummary'),
    activeCustomExecutiveSummary: after('activeCustomExecutiveSummary'),
    customFinalConsiderations: after('customFinalConsiderations'),
    activeCustomFinalConsiderations: after('activeCustomFinalConsiderations'),
  }
}

const readNeeded = (text: string | null | undefined, argument: string, longest?: number): string | undefined =>
  text === null || text === undefined ? undefined : readName(text, argument, longest)

function readScopeUrls(urls: readonly string[] | null | undefined): string[] | null | undefined {
  if (urls === null || urls === undefined) return urls
  if (urls.length > 1000) throw badUserInput('projectScopeUrls has at most 1000 entries', 'input.projectScopeUrls')
  const read = urls.map((url) => readUrl(url, 'input.projectScopeUrls'))
  return [...new Set(read.filter((url) => typeof url === 'string'))]
}
