// The sections of a report: its tools, each in a scope. Staged findings refer to their section by its number.

import { ReportFault } from '../../reports/types.ts'
import { cut } from './cut.ts'

/** A tool of the report, in lower case, and its scope. */
export type Section = { tool: string; scope: string }

type Sections = {
  /** indexed by section number */
  named: readonly Section[]
  /** all scopes of the report, including those without a finding */
  scopes: ReadonlySet<string>
  /** the scope of the rows being read */
  scope: () => string
  /** Whether no further section fits. */
  isFull: () => boolean
  /** The rows that follow are of this scope, unless the import names one for the whole report. */
  enter: (scope: string) => void
  /** The scope of the rows being read counts as one of the report's, even if none of them is a finding. */
  keepScope: () => void
  /** The number of a tool's section in this scope. Throws ReportFault if no further section fits. */
  numberOf: (toolName: string) => number
}

const MOST_SECTIONS = 1000
/** in characters */
export const LONGEST_SCOPE = 500

/** `givenScope`: the scope of the whole report; null: as the report itself says. */
export function openSections(givenScope: string | null): Sections {
  const numbers = new Map<string, number>()
  const named: Section[] = []
  const scopes = new Set<string>()
  let scope = givenScope ?? ''
  return {
    named,
    scopes,
    scope: () => scope,
    isFull: () => named.length >= MOST_SECTIONS,
    enter(entered) {
      if (givenScope === null) scope = cut(entered, LONGEST_SCOPE) ?? ''
      scopes.add(scope)
    },
    keepScope: () => void scopes.add(scope),
    numberOf(toolName) {
      const tool = toolName.toLowerCase()
      const key = JSON.stringify([tool, scope])
      const known = numbers.get(key)
      if (known !== undefined) return known
      if (named.length >= MOST_SECTIONS)
        throw new ReportFault(`The report names more than ${MOST_SECTIONS} tools and scopes`)
      scopes.add(scope)
      named.push({ tool, scope })
      numbers.set(key, named.length - 1)
      return named.length - 1
    },
  }
}
