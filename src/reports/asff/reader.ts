// Reads findings in the AWS Security Finding Format (ASFF), as exported from Security Hub and written by Prowler and others.

import { firstCharacter } from '../detect.ts'
import { type Given, jsonRows } from '../json-rows.ts'
import type { ReportHead, ReportReader, ReportSource, Row } from '../types.ts'
import { isObject, text, textAt } from '../values.ts'
import { codeOf, componentsOf } from './finding.ts'

export const asff: ReportReader = { format: 'asff', label: 'AWS Security Finding Format', recognises, read }

function recognises({ text: head }: ReportHead): boolean {
  return (
    /^\s*[[{]/.test(head) && /"SchemaVersion"\s*:\s*"2018-10-08"/.test(head) && /"AwsAccountId"|"ProductArn"/.test(head)
  )
}

async function* read(source: ReportSource): AsyncGenerator<Row> {
  const isArray = (await firstCharacter(source)) === '['
  yield* jsonRows(source, isArray ? ['[]'] : ['Findings[]', 'findings[]'], rowsOf)
}

function* rowsOf({ value, at }: Given): Iterable<Row> {
  const title = textAt(value, 'Title')
  if (!isObject(value) || title === undefined) {
    yield { kind: 'LEFT_OUT', at, reason: 'It has no title' }
    return
  }
  const compliance = textAt(value, 'Compliance', 'Status')
  if (compliance === 'PASSED') return
  const workflow = textAt(value, 'Workflow', 'Status') ?? text(value.WorkflowState)
  if (workflow === 'RESOLVED' || text(value.RecordState) === 'ARCHIVED') {
    yield { kind: 'PASSED_OVER', at, reason: 'It is resolved or archived' }
  } else if (compliance === 'NOT_AVAILABLE') {
    yield { kind: 'LEFT_OUT', at, reason: 'The check could not be run', isUndecided: true }
  } else {
    const components = componentsOf(value, title)
    if (components.length === 0) yield { kind: 'OBSERVATION', at, observation: codeOf(value, title) }
    for (const [index, observation] of components.entries())
      yield { kind: 'OBSERVATION', at: components.length === 1 ? at : `${at}, package ${index + 1}`, observation }
  }
}
